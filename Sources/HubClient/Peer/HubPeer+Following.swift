import Core
import HTTP

extension HubPeer {
  /// Reads a stream of server-sent events to its end.
  ///
  /// - Parameters:
  ///   - path: The path, as for ``get(_:query:)``.
  ///   - query: The names and values. They must not be encoded.
  ///   - receive: Receives each event, and nil for any other sign of life. It returns `false` to
  ///     end the connection.
  /// - Throws: As ``get(_:query:)``; `NetworkUnavailable` after 45 seconds of silence.
  func follow(
    _ path: String, query: [(name: String, value: String)],
    _ receive: (ServerSentEvent?) -> Bool
  ) async throws(Failure) {
    let path = path + Self.text(of: query)
    let authorization = try await authorization()
    do throws(Failure) {
      try await follow(path, authorization, receive)
    } catch {
      guard error.code == .authExpired, error.status == 401 else { throw error }
      let renewed = try await self.authorization(insteadOf: authorization)
      try await follow(path, renewed, receive)
    }
  }

  private func follow(
    _ path: String, _ authorization: String, _ receive: (ServerSentEvent?) -> Bool
  ) async throws(Failure) {
    var request = HTTPRequest(url: hub.url + path)
    request.fields = [
      HTTPField("accept", "text/event-stream"), HTTPField("authorization", authorization),
    ]
    // The hub sends a sign of life every 15 seconds.
    request.timeouts = HTTPTimeouts(connect: timeouts.connect, idle: 45, total: 0)
    var stream = EventStream(parser: ServerSentEventParser(maximumEventBytes: 1 << 20))
    do {
      for try await step in client.stream(request) {
        if case .body = step, stream.isAccepted, !receive(nil) { return }
        for event in try stream.read(step) where !receive(event) { return }
        if case .end = step, let refusal = stream.refusal {
          throw Failure(hub: refusal, url: request.url)
        }
      }
    } catch {
      throw error as? Failure
        ?? Failure(.networkUnavailable, "cannot read from '\(hub.url)'", url: hub.url)
    }
  }
}
