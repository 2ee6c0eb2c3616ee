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
      .get("/v1/stream") { (request) async throws(Failure) in
        try Self.checkProtocol(request.query("protocol"))
        var members = request.liveMembers
        if let last = request.request.headers[.lastEventID], members.lastEventId == nil {
          members.lastEventId = last
        }
        let asked = try LiveRequest(members)
        let visitor = request.visitor
        return HubAnswer(contentType: "text/event-stream") { [feed, openings] writer in
          let opening = await openings.open(.subscription, to: visitor) { _ in feed.ring.wakeAll() }
          defer { openings.close(opening) }
          try await feed.run(asked, opening) { try await writer.write($0) }
          try await writer.finish(nil)
        }
      },
      .get("/v1/protocol", for: .everybody) { _ async throws(Failure) in
        try HubAnswer(ProtocolAnswer())
      },
    ]
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
