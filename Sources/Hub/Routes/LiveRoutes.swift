import Core
import HTTPTypes
import HubWords
import HummingbirdCore

/// The route of the live stream as server-sent events.
struct LiveRoutes: Sendable {
  let feed: LiveFeed
  let openings: Openings

  var all: [HubRoute] {
    [
      .get("/v1/stream", for: .people(.read)) { (request) async throws(Failure) in
        try Self.checkProtocol(request.query("protocol"))
        return try stream(
          request, after: request.query("lastEventId") ?? request.request.headers[.lastEventID])
      },
      .get("/v1/protocol", for: .everybody) { _ async throws(Failure) in
        try HubAnswer(ProtocolAnswer())
      },
    ]
  }

  /// Returns the endless answer with the events that the request's query selects.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - last: The id of the event after which the stream begins; nil for new events only.
  /// - Returns: The answer.
  /// - Throws: `BadInput` if the query or the id is invalid.
  func stream(_ request: HubRequest, after last: String?) throws(Failure) -> HubAnswer {
    var members = request.liveMembers
    members.lastEventId = last
    let asked = try LiveRequest(members)
    let visitor = request.visitor
    return HubAnswer(contentType: "text/event-stream") { [feed, openings] writer in
      let opening = await openings.open(.subscription, to: visitor) { _ in feed.ring.wakeAll() }
      defer { openings.close(opening) }
      try await feed.run(asked, opening) { try await writer.write($0) }
      try await writer.finish(nil)
    }
  }

  /// Checks that the client's protocol version is supported.
  ///
  /// - Throws: `ProtocolMismatch` if the version is not supported.
  static func checkProtocol(_ version: String?) throws(Failure) {
    guard let version, version != "1" else { return }
    throw Failure(
      .protocolMismatch, "the hub speaks protocol 1, not '\(Visible.line(version))'", input: version
    )
  }
}

extension HTTPField.Name {
  /// The header field that names the event after which a stream resumes (WHATWG HTML, 9.2.4).
  static let lastEventID = Self("Last-Event-ID") ?? .eTag
}
