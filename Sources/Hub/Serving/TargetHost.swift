import NIOCore
import NIOHTTP1

/// A handler that makes the host of a request's absolute URL its `Host` field.
///
/// If the target of a request is a path, the request is unchanged (RFC 9112, section 3.2.2).
final class TargetHost: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    context.fireChannelRead(wrapInboundOut(.head(head.namingItsHost)))
  }
}

extension HTTPRequestHead {
  /// The head with the target's host as its only `Host` field; unchanged if the target is a path.
  var namingItsHost: HTTPRequestHead {
    guard !uri.hasPrefix("/"), let colon = uri.firstRange(of: "://") else { return self }
    let authority = uri[colon.upperBound...].prefix { !"/?#".contains($0) }
    var head = self
    head.headers.replaceOrAdd(name: "host", value: String(authority))
    return head
  }
}
