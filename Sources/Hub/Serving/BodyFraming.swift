import NIOCore
import NIOHTTP1

/// Refuses a request whose body has another transfer coding than `chunked`, or that is of HTTP/1.0 and
/// has any (RFC 9112, section 6.1): whoever reads its end elsewhere smuggles a request.
///
/// The refusal takes the way of a head that cannot be parsed: 400, once what was asked before is
/// answered, and the connection closes.
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
  /// `true` if the end of the body is where every recipient finds it.
  fileprivate var isFramed: Bool {
    let codings = headers[canonicalForm: "transfer-encoding"].map { $0.lowercased() }
    return codings.isEmpty || codings == ["chunked"] && version.major == 1 && version.minor >= 1
  }
}
