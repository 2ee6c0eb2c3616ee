import Core
import HTTP

/// The transfer of one request to a model and of the streamed answer, for all APIs.
struct EventStreamTransfer {
  /// The largest number of bytes that are read of an error's body.
  ///
  /// Real ones are smaller.
  private static let maximumErrorBytes = 64 << 10

  let client: HTTPClient
  let request: HTTPRequest
  /// The receiver of the traffic, one line at a time.
  var trace: (@Sendable (String) -> Void)?

  /// Sends the request and decodes the answer.
  func run(
    _ decoder: some AnswerStream, receive: @Sendable (ModelEvent) throws(Failure) -> Void
  ) async throws(Failure) {
    var answer = Answer(url: request.url, decoder: EventStreamDecoder(decoder))
    var trace = trace.map { WireTrace($0) }
    trace?.show(request)
    do {
      for try await event in client.stream(request) {
        trace?.show(event)
        try answer.read(event, receive)
        if answer.isSettled { break }
      }
    } catch let failure as Failure {
      try answer.end(by: failure, receive)
      return
    } catch {
      throw Failure(.networkUnavailable, "the request failed", cause: "\(error)")
    }
    try answer.end(by: nil, receive)
  }

  /// The state of a response that is arriving.
  private struct Answer<Stream: AnswerStream> {
    typealias Receiver = @Sendable (ModelEvent) throws(Failure) -> Void

    let url: String
    var decoder: EventStreamDecoder<Stream>
    var head: HTTPHead?
    var errorBody: [UInt8] = []
    var hasEnded = false
    var ownFailure: Failure?

    private var isSuccess: Bool { head.map { (200...299).contains($0.status) } ?? false }

    /// `true` if the response is an error and enough of its body has been read.
    var isSettled: Bool {
      !isSuccess && errorBody.count >= EventStreamTransfer.maximumErrorBytes
    }

    /// Handles the next event of the response.
    mutating func read(_ event: HTTPEvent, _ receive: Receiver) throws(Failure) {
      do {
        try handle(event, receive)
      } catch {
        ownFailure = error
        throw error
      }
    }

    private mutating func handle(_ event: HTTPEvent, _ receive: Receiver) throws(Failure) {
      switch event {
      case .head(let head):
        self.head = head
        try receive(
          .head(
            status: head.status,
            shouldRetry: head.value("x-should-retry").flatMap { Bool($0.lowercased()) }))
      case .body(let bytes) where isSuccess:
        try decoder.read(bytes, receive)
      case .body(let bytes):
        errorBody += bytes.prefix(EventStreamTransfer.maximumErrorBytes - errorBody.count)
      case .end: hasEnded = true
      }
    }

    /// The failure that reports that the response is not an event stream; nil if it is one.
    private var notAStream: Failure? {
      guard let type = head?.value("content-type"), !type.hasPrefix("text/event-stream") else {
        return nil
      }
      return Failure(
        .invalidResponse,
        "'\(Failure.shownURL(url))' answered with '\(Visible.line(String(type.prefix(80))))' "
          + "in place of a stream", kind: .notAStream)
    }

    /// Completes the answer after the transfer has ended.
    ///
    /// A failure of the decoder or the receiver takes precedence over the given failure of the
    /// transfer.
    mutating func end(by failure: Failure?, _ receive: Receiver) throws(Failure) {
      if let ownFailure { throw ownFailure }
      guard failure?.code != .interrupted, failure != nil || hasEnded || isSettled else {
        throw Failure(.interrupted, "the request was cancelled")
      }
      if let head, !isSuccess {
        let error = ProviderError(body: errorBody)
        if head.status == 400 { try receive(.rejected(error.rejection)) }
        throw error.failure(status: head.status, head: head, url: url)
      }
      if failure != nil, head != nil { try decoder.readLast(receive) }
      let mayLackCounts = failure != nil && !decoder.stream.hasEndMark
      if let failure, decoder.stream.isWhole {
        try receive(.notice("\(failure.explanation) after the whole answer"))
      }
      if let failure, !decoder.stream.isWhole {
        guard head != nil, [.networkUnavailable, .invalidResponse].contains(failure.code) else {
          throw failure
        }
        var cut = Failure.cutAnswer(Failure.shownURL(url))
        cut.cause = failure.explanation
        throw cut
      }
      do {
        try decoder.finish(receive)
      } catch {
        throw error.kind == .cut ? notAStream ?? error : error
      }
      if mayLackCounts { try receive(.usage(nil)) }
    }
  }
}
