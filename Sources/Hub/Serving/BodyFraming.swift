import NIOCore
import NIOHTTP1

/// A guard against request smuggling: it refuses requests with a transfer coding other than
/// `chunked`, or of HTTP/1.0 with any (RFC 9112, section 6.1), since recipients may disagree on
/// where such a body ends.
///
/// The refusal is that of a malformed head: status 400 after the earlier requests are answered, and
/// the connection closes.
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
  /// `true` if all recipients agree on the end of the body.
  fileprivate var isFramed: Bool {
    let codings = headers[canonicalForm: "transfer-encoding"].map { $0.lowercased() }
    return codings.isEmpty || codings == ["chunked"] && version.major == 1 && version.minor >= 1
  }
}
