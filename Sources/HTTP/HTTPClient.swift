public import Core

/// Sends HTTP requests through libcurl: one network thread and one pool of connections a client.
///
/// Making a client costs nothing: the thread and libcurl start with the first request. The thread
/// ends when the client is gone and its last transfer is done.
///
/// ```swift
/// let client = HTTPClient()
/// let response = try await client.collect(HTTPRequest(url: "https://example.org/"))
/// ```
public final class HTTPClient: Sendable {
  private let loop: TransferLoop

  /// Creates a client with an empty pool of connections.
  ///
  /// - Parameter cookies: The cookies to begin with, as lines of a Netscape cookie file; they and those
  ///   that servers set are sent where they belong. With nil none are kept or sent.
  public init(cookies: [String]? = nil) {
    loop = TransferLoop(cookies: cookies)
  }

  /// Whether cookies are kept and sent.
  public var keepsCookies: Bool { loop.keepsCookies }

  /// The cookies that are kept now, those of the session too, as lines of a Netscape cookie file.
  public func cookies() async -> [String] {
    await loop.currentCookies()
  }

  deinit {
    loop.close()
  }

  /// Sends a request and delivers its response as it arrives.
  ///
  /// The request is sent at once. Cancelling the reading task or dropping the stream aborts it; a
  /// stream that finishes without ``HTTPEvent/end(_:)`` was cancelled. When the reader lags by more
  /// than 1 MiB, the transfer pauses until it catches up, unless the request bounds its body.
  ///
  /// - Returns: A stream for one reader, which throws `Failure` also after the head was delivered.
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

  /// Sends a request and collects its whole response, whatever its status.
  ///
  /// - Throws: The transfer's failure, or `Interrupted` when the calling task is cancelled.
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
