public import Core

/// A client that sends HTTP requests through libcurl.
///
/// It has one network thread and one pool of connections. The thread and libcurl start with the
/// first request. The thread ends when the client is released and its last transfer is finished.
///
/// ```swift
/// let client = HTTPClient()
/// let response = try await client.collect(HTTPRequest(url: "https://example.org/"))
/// ```
public final class HTTPClient: Sendable {
  private let loop: TransferLoop

  /// Creates a client with an empty pool of connections.
  ///
  /// - Parameter cookies: The initial cookies, as lines of a Netscape cookie file; nil if cookies
  ///   are neither stored nor sent.
  public init(cookies: [String]? = nil) {
    loop = TransferLoop(cookies: cookies)
  }

  /// `true` if cookies are stored and sent.
  public var keepsCookies: Bool { loop.keepsCookies }

  /// Returns the current cookies, including session cookies, as lines of a Netscape cookie file.
  public func cookies() async -> [String] {
    await loop.currentCookies()
  }

  deinit {
    loop.close()
  }

  /// Sends the given request and delivers the response as it arrives.
  ///
  /// The request is sent immediately. It is aborted if the reading task is cancelled or the stream
  /// is released. A stream that finishes without ``HTTPEvent/end(_:)`` was cancelled. If more than
  /// 1 MiB is unread, the transfer pauses, unless the request has ``HTTPRequest/maximumBodyBytes``.
  ///
  /// - Returns: A stream for one reader. It may throw `Failure` even after the head.
  public func stream(_ request: HTTPRequest) -> AsyncThrowingStream<HTTPEvent, any Error> {
    let exchange = loop.submit(request)
    return AsyncThrowingStream {
      switch await exchange.next() {
      case .event(let event): return event
      case .failed(let failure): throw failure
      case .finished: return nil
      }
    }
  }

  /// Sends the given request and collects the whole response.
  ///
  /// The response may have any status.
  ///
  /// - Throws: The failure of the transfer; `Interrupted` if the calling task is cancelled.
  public func collect(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    let exchange = loop.submit(request)
    var head = HTTPHead(status: 0)
    var body: [UInt8] = []
    while true {
      switch await exchange.next() {
      case .event(.head(let received)): head = received
      case .event(.body(let bytes)): body.append(contentsOf: bytes)
      case .event(.end(let timing)): return HTTPResponse(head: head, body: body, timing: timing)
      case .failed(let failure): throw failure
      case .finished: throw .cancelledTransfer
      }
    }
  }
}
