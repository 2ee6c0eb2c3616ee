import NIOCore
import NIOHTTP1

/// Has a request that names its host in a whole URL be one of that host, whatever its `Host` says
/// (RFC 9112, section 3.2.2): what decides by the host would be told another one otherwise.
final class TargetHost: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    context.fireChannelRead(wrapInboundOut(.head(head.namingItsHost)))
  }
}

extension HTTPRequestHead {
  /// The head with the host of its target in the place of all `Host` fields, where its target is no
  /// path.
  var namingItsHost: HTTPRequestHead {
    guard !uri.hasPrefix("/"), let colon = uri.firstRange(of: "://") else { return self }
    let authority = uri[colon.upperBound...].prefix { !"/?#".contains($0) }
    var head = self
    head.headers.replaceOrAdd(name: "host", value: String(authority))
    return head
  }
}
