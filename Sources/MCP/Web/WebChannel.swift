package import Core
package import HTTP
import Synchronization

/// A connection to a server over Streamable HTTP, in all revisions that have it.
///
/// Each message is a request of its own. The revision 2026-07-28 has nothing beyond that; the older
/// ones have a session, and streams that can be resumed.
package final class WebChannel: MCPChannel {
  let place: WebPlace
  let client: HTTPClient
  let session = Mutex(WebSession())
  private let retries: RetryPolicy

  /// Creates a connection, which sends nothing yet.
  ///
  /// - Parameters:
  ///   - place: The server's address.
  ///   - client: The client that sends the requests.
  ///   - retries: The policy for requests that did not arrive, or that were refused for now.
  package init(
    _ place: WebPlace, client: HTTPClient = HTTPClient(), retries: RetryPolicy = RetryPolicy()
  ) {
    (self.place, self.client, self.retries) = (place, client, retries)
  }

  /// Sends a request, and waits for its answer.
  ///
  /// A request is sent again only if the server has not acted on it, or if it is repeatable.
  ///
  /// - Throws: As the protocol says. Failures of the kind `otherEra` report a server that does not
  ///   speak 2026-07-28, and those of the kind `sessionGone` a session that has to begin anew; in
  ///   both cases the server has not acted on the request.
  package func exchange(
    _ request: MCPRequest, _ revision: MCPRevision?, timeout: Duration,
    receive: @escaping @Sendable (MCPIncoming) async -> MCPReply?
  ) async throws(Failure) -> MCPReply {
    var tries = 0
    while true {
      if Task.isCancelled { throw Failure(.interrupted, "the request was cancelled") }
      let (id, session) = session.withLock { ($0.nextRequest(), $0.id) }
      let call = WebCall(
        id: id, request: request, revision: revision, session: session,
        patience: Patience(timeout), receive: receive)
      tries += 1
      do throws(Failure) {
        return try await attempt(call, timeout)
      } catch {
        // The server may have acted on a request whose time was over.
        guard error.kind != .timeout,
          let wait = retries.delay(
            after: error, tries: tries, jitter: .random(in: 0...1))
        else { throw error }
        try await pause(.seconds(wait))
      }
    }
  }

  private func attempt(_ call: WebCall, _ timeout: Duration) async throws(Failure) -> MCPReply {
    do throws(Failure) {
      let reply = try await limited(call, timeout).get()
      if call.beginsSession, case .result(let result) = reply,
        case .string(let version)? = result["protocolVersion"]
      {
        session.withLock { $0.revision = MCPRevision(rawValue: version) }
      }
      return reply
    } catch {
      // Closing the stream cancels a request of 2026-07-28, but none of an older revision.
      if error.kind == .timeout || error.code == .interrupted, !call.isModern,
        !call.beginsSession
      {
        await cancel(call)
      }
      throw error
    }
  }

  /// Returns the answer, or the failure of whatever ends the wait first.
  private func limited(
    _ call: WebCall, _ timeout: Duration
  ) async -> Result<MCPReply, Failure> {
    await withTaskGroup(of: Result<MCPReply, Failure>?.self) { group in
      group.addTask {
        do throws(Failure) {
          return .success(try await self.answer(to: call))
        } catch {
          return .failure(error)
        }
      }
      group.addTask {
        guard await call.patience.runOut() else { return nil }
        return .failure(
          Failure(
            .timeout, "'\(self.place.name)' did not answer within \(timeout)", kind: .timeout,
            url: self.place.shownURL))
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first ?? .failure(Failure(.interrupted, "the request was cancelled"))
    }
  }

  /// Sends a notification.
  package func notify(
    _ method: String, _ params: [String: JSONValue], _ revision: MCPRevision?
  ) async throws(Failure) {
    let used = session.withLock(\.id)
    let body = try MCPMessage.text(method, params)
    let isModern = revision?.isModern ?? false
    let fields =
      isModern
      ? [HTTPField("MCP-Protocol-Version", MCPRevision.modern.rawValue)]
        + [HTTPField("Mcp-Method", method)]
      : WebCall.fields(used, revision)
    switch try await send(limitedPost(body, fields)) {
    case .refused(let head, let body): throw refusal(head, body, in: used)
    case .failed(let failure, _): throw failure
    case .reply, .ended: break
    }
  }

  /// Ends the session, if the server has one.
  package func close() async {
    let (id, revision) = session.withLock { session in
      defer { session.begin(nil) }
      return (session.id, session.revision)
    }
    guard let id else { return }
    var request = place.request("DELETE", WebCall.fields(id, revision))
    request.timeouts = HTTPTimeouts(connect: 2, idle: 2, total: 2)
    // A task of its own, because the session ends also if this task was cancelled. A server may
    // refuse to end a session, which is no fault.
    await Task { [request] in _ = try? await send(request) }.value
  }

  /// Waits for the given time.
  func pause(_ time: Duration) async throws(Failure) {
    do {
      try await Task.sleep(for: time)
    } catch {
      throw Failure(.interrupted, "the request was cancelled")
    }
  }
}
