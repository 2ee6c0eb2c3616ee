public import Core
import Foundation
import HTTP
public import HubWords

extension CompanionPeer {
  /// Asks the host to continue the given chat.
  ///
  /// If the connection is lost, the request is not repeated.
  ///
  /// - Parameters:
  ///   - chatId: The id of the chat.
  ///   - continuation: The prompt and its options.
  ///   - receive: Receives the frames of the answer, in order.
  /// - Throws: The failure that the host reports; `StreamInterrupted` if the answer ends early,
  ///   although the host may still complete it; `ProtocolMismatch` if the answer is malformed; the
  ///   errors of `receive`.
  public func goOn(
    with chatId: String, _ continuation: ChatContinuation,
    receive: (AnswerFrame) throws(Failure) -> Void
  ) async throws(Failure) {
    let path = "/companion/chats/\(chatId.percentEncoded)/continue"
    let body = try continuation.body()
    var reading = Reading(url: url + path)
    do throws(Failure) {
      try await reaching { (base) async throws(Failure) in
        try await read(path, body, at: base, into: &reading, receive)
      }
    } catch {
      // A request with an invalid signature had no effect, so it may be repeated.
      guard let head = reading.head, learnsClock(head, error.code) else { throw error }
      reading = Reading(url: url + path)
      try await reaching { (base) async throws(Failure) in
        try await read(path, body, at: base, into: &reading, receive)
      }
    }
  }

  private func read(
    _ path: String, _ body: [UInt8], at base: String, into reading: inout Reading,
    _ receive: (AnswerFrame) throws(Failure) -> Void
  ) async throws(Failure) {
    var request = try request("POST", path, body: body, accept: "text/event-stream", at: base)
    request.timeouts = HTTPTimeouts(connect: 5, idle: Self.longestSilence, total: nil)
    do {
      for try await event in stream(request) {
        if try reading.read(event, receive) { return }
      }
    } catch let failure as Failure {
      throw reading.failure(after: Self.judged(failure))
    } catch {
      throw reading.failure(after: Failure(.streamInterrupted, "the answer ended early"))
    }
    throw reading.failure(after: Failure(.interrupted, "interrupted"))
  }

  /// The state of an answer that is being read.
  private struct Reading {
    let url: String
    private var stream = EventStream(accepted: 200...200)
    var head: HTTPHead? { stream.head }
    private var hasBegun = false

    init(url: String) { self.url = url }

    /// Processes the given part of the response.
    ///
    /// - Returns: `true` if the answer is complete.
    mutating func read(
      _ event: HTTPEvent, _ receive: (AnswerFrame) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
      for event in try stream.read(event) {
        if event.data == "[DONE]" { return true }
        try deliver(event.data, receive)
      }
      switch event {
      case .head(let head): try begin(head)
      case .body: break
      case .end:
        if let refusal = stream.refusal { throw Failure(companion: refusal, url: url) }
        throw Failure(.streamInterrupted, "the answer ended early", url: Failure.shownURL(url))
      }
      return false
    }

    private func begin(_ head: HTTPHead) throws(Failure) {
      guard head.status == 200 else {
        guard head.status >= 400 else {
          throw Failure(
            .protocolMismatch, "'\(Failure.shownURL(url))' answered \(head.status)",
            status: head.status, url: Failure.shownURL(url))
        }
        return
      }
      let type = head.value("Content-Type")?.split(separator: ";").first?.lowercased() ?? ""
      guard type.trimmingCharacters(in: .whitespaces) == "text/event-stream" else {
        throw Failure(
          .protocolMismatch, "the response from '\(Failure.shownURL(url))' is not an event stream",
          url: Failure.shownURL(url))
      }
    }

    private mutating func deliver(
      _ data: String, _ receive: (AnswerFrame) throws(Failure) -> Void
    ) throws(Failure) {
      guard JSONObject(data) != nil else {
        throw Failure(
          .protocolMismatch, "'\(Failure.shownURL(url))' sent a frame that is not JSON",
          url: Failure.shownURL(url))
      }
      hasBegun = true
      guard let frame = try? AnswerFrame(json: Array(data.utf8)) else {
        throw Failure(
          .protocolMismatch, "'\(Failure.shownURL(url))' sent an invalid message",
          url: Failure.shownURL(url))
      }
      switch frame {
      case .delta, .restart, .message: try receive(frame)
      case .error(let error, let action, let code):
        throw Failure(
          code.flatMap(FailureCode.init(fromHost:)) ?? .serverError,
          Visible.line(String((error ?? "it failed").prefix(1000))), url: Failure.shownURL(url),
          nextStep: action.map { Visible.line(String($0.prefix(200))) })
      case .unknown: break
      }
    }

    /// Returns the failure to report for the given one.
    ///
    /// If the answer had begun, it is `StreamInterrupted`.
    func failure(after failure: Failure) -> Failure {
      let isLost = [.networkUnavailable, .timeout, .invalidResponse].contains(failure.code)
      guard hasBegun, isLost else { return failure }
      var interrupted = Failure(
        .streamInterrupted, "the answer ended early: \(failure.explanation)",
        url: Failure.shownURL(url))
      interrupted.cause = failure.cause
      return interrupted
    }
  }
}
