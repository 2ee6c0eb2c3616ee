import Core
import HTTP
import Synchronization

/// The end of an HTTP request.
enum WebEnd: Sendable {
  /// The answer to the message.
  case reply(MCPReply)
  /// A status that is not a success: the head, and the start of the body.
  case refused(HTTPHead, [UInt8])
  /// A complete answer without a reply.
  case ended(WebAnswer)
  /// A request that was not sent, or an answer that broke off.
  case failed(Failure, WebAnswer)
}

extension WebChannel {
  /// The maximum number of redirects of a message.
  private static let maximumRedirects = 5

  /// Returns a request for a message whose answer has no content.
  func limitedPost(_ body: [UInt8], _ fields: [HTTPField]) -> HTTPRequest {
    var request = place.post(body, fields)
    request.timeouts = HTTPTimeouts(idle: 30, total: 30)
    return request
  }

  /// Sends the given request with the login, and follows redirects at the same origin.
  ///
  /// - Parameters:
  ///   - request: The request without `authorization`.
  ///   - call: The call whose answer is read; nil if the answer has no content.
  /// - Returns: The end of the last request.
  /// - Throws: `AuthExpired` or another failure of the login.
  func send(_ request: HTTPRequest, for call: WebCall? = nil) async throws(Failure) -> WebEnd {
    var request = request
    var login = try await WebLogin(place)
    var redirects = 0
    while true {
      var sent = request
      if let field = login.field { sent.fields.append(field) }
      let end = await receive(sent, call)
      guard case .refused(let head, _) = end else { return end }
      if redirects < Self.maximumRedirects, let url = place.target(of: head, from: request.url) {
        redirects += 1
        request.url = url
      } else {
        // A person may have to log in.
        call?.patience.pause()
        guard try await login.renews(after: head) else { return end }
        call?.patience.extend()
      }
    }
  }

  /// Sends the given request once, and reads its answer.
  private func receive(_ request: HTTPRequest, _ call: WebCall?) async -> WebEnd {
    var answer = WebAnswer(from: place)
    var isWhole = false
    do {
      for try await step in client.stream(request) {
        if case .end = step { isWhole = true }
        let messages = try answer.read(step)
        if case .head(let head) = step, call?.beginsSession == true, !answer.isRefused {
          begin(head)
        }
        for message in messages {
          // Leaving the loop closes the stream.
          if let call, let reply = await take(message, call, isStream: answer.isStream) {
            return .reply(reply)
          }
        }
      }
    } catch {
      let failure = error as? Failure ?? Failure(.networkUnavailable, "the request failed")
      if let head = answer.head, answer.isRefused, failure.code != .interrupted {
        return .refused(head, answer.body)
      }
      return .failed(failure, answer)
    }
    guard isWhole, let head = answer.head else {
      return .failed(Failure(.interrupted, "the request was cancelled"), answer)
    }
    return answer.isRefused ? .refused(head, answer.body) : .ended(answer)
  }

  /// Begins the session that the given head names.
  private func begin(_ head: HTTPHead) {
    // The id is not registered as a secret. A server may choose an ordinary word, which would then
    // be masked in the words of others.
    session.withLock { $0.begin(head.value("mcp-session-id")) }
  }

  /// Handles a message of the server; returns the answer to the call if the message is that.
  private func take(_ message: MCPMessage, _ call: WebCall, isStream: Bool) async -> MCPReply? {
    switch message {
    case .answer(.int(call.id)?, let reply): return reply
    // A server that could not read the id answers without one; a stream may hold other errors.
    case .answer(nil, .error(let code, let text, let data)) where !isStream:
      return .error(code, text, data)
    case .answer: break
    case .incoming(nil, let incoming):
      if case .notification("notifications/progress", _) = incoming { call.patience.extend() }
      _ = await call.receive(incoming)
    case .incoming(let id?, let incoming):
      // The revision 2026-07-28 has no requests of servers.
      guard !call.isModern else { break }
      call.patience.pause()
      let reply = await call.receive(incoming) ?? .error(-32601, "Method not found", nil)
      if let body = try? MCPMessage.text(reply, to: id) {
        // The answer to the call, or its time limit, shows whether the server received the reply.
        _ = try? await send(limitedPost(body, fields(of: call)))
      }
      call.patience.extend()
    }
    return nil
  }

  /// Returns the fields of a message that follows the given call.
  func fields(of call: WebCall) -> [HTTPField] {
    guard call.beginsSession else { return call.sessionFields }
    return WebCall.fields(session.withLock(\.id), nil)
  }

  /// Tells a server of the older revisions that nobody waits for the answer to the given call.
  func cancel(_ call: WebCall) async {
    let params: [String: JSONValue] = ["requestId": .int(call.id)]
    guard let body = try? MCPMessage.text("notifications/cancelled", params) else { return }
    var request = place.post(body, call.sessionFields)
    request.timeouts = HTTPTimeouts(connect: 2, idle: 2, total: 2)
    // A task of its own, because this one may be cancelled. The call has failed in any case.
    await Task { [request] in _ = try? await send(request) }.value
  }
}
