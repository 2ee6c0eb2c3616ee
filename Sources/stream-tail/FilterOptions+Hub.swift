import Core
import Events
import HubClient

extension FilterOptions {
  /// Returns the conditions with whole ids, each of which may be given by a part.
  ///
  /// - Throws: `BadUsage` for a part of several ids; what asking the hub throws.
  func filter(of peer: HubPeer, _ interruption: Interruption) throws(Failure) -> EventFilter {
    func whole(_ parts: [String], _ thing: String, _ path: String) throws(Failure) -> [String] {
      guard !parts.isEmpty else { return [] }
      let body = try Waiting.run(interruption) { () async throws(Failure) in
        try await peer.get("/v1/" + path)
      }
      let list = path.prefix { $0 != "?" }
      let known = JSONObject(body)?.objects(String(list)).compactMap { $0.string("id") } ?? []
      var ids: [String] = []
      for part in parts { ids.append(try IdPart.whole(part, among: known, thing) ?? part) }
      return ids
    }
    var filter = filter
    filter.swarms = try whole(swarms, "swarm", "swarms")
    filter.agents = try whole(agents, "agent", "agents")
    filter.incidents = try whole(incidents, "incident", "incidents?status=all")
    return filter
  }
}
