import NIOCore
import NIOHTTP1

/// A guard against request smuggling (RFC 9112, section 6.1).
///
/// It refuses a request if different recipients could find the end of its body at different places.
/// Such a request has a transfer coding other than `chunked`, or any transfer coding in HTTP/1.0.
///
/// The request is treated as a malformed head: after the earlier requests are answered, the guard
/// responds with status 400 and the connection closes.
final class BodyFraming: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  private var hasRefused = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !hasRefused else { return }
    if case .head(let head) = unwrapInboundIn(data), !head.isFramed {
      hasRefused = true
      return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
    }
    context.fireChannelRead(data)
  }
}

extension HTTPRequestHead {
  /// `true` if all recipients find the same end of the body.
  fileprivate var isFramed: Bool {
    let codings = headers[canonicalForm: "transfer-encoding"].map { $0.lowercased() }
    return codings.isEmpty || codings == ["chunked"] && version.major == 1 && version.minor >= 1
  }
}
