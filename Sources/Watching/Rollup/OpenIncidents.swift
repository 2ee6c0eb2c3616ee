/// The open incidents.
struct OpenIncidents: Sendable {
  private var byFingerprint: [String: WatchedIncident] = [:]
  /// The number of open incidents for each origin of errors.
  private var places: [String: Int] = [:]
  /// The fingerprints of incidents, by the agent, or else the swarm, that they are about.
  private var byOwner: [String: Set<String>] = [:]

  /// The maximum number of open incidents of one origin; further errors share one more incident.
  private static let mostOfPlace = 50
  /// The maximum number of open incidents in all.
  private static let most = 2000

  init(_ incidents: [WatchedIncident]) {
    for incident in incidents { add(incident) }
  }

  /// Returns the incident of a fingerprint.
  subscript(fingerprint: String) -> WatchedIncident? { byFingerprint[fingerprint] }

  /// Returns the fingerprint under which an error is counted: that of an open incident of its agent
  /// that caused it, else its own, or a collective one if too many incidents are open.
  func fingerprint(of event: WatchedEvent) -> String {
    if let cause = event.causeFingerprint, byFingerprint[cause]?.continues(event) ?? false {
      return cause
    }
    var fingerprint = event.fingerprint
    if byFingerprint[fingerprint] == nil, places[event.place, default: 0] >= Self.mostOfPlace {
      fingerprint = event.place
    }
    if byFingerprint[fingerprint] == nil, byFingerprint.count >= Self.most { fingerprint = "" }
    return fingerprint
  }

  /// Returns the fingerprints of an agent's or a swarm's incidents.
  func fingerprints(ofOwner owner: String) -> Set<String> { byOwner[owner] ?? [] }

  /// Adds a new incident.
  mutating func add(_ incident: WatchedIncident) {
    byFingerprint[incident.fingerprint] = incident
    places[incident.place, default: 0] += 1
    byOwner[incident.owner, default: []].insert(incident.fingerprint)
  }

  /// Replaces an open incident by its current state.
  mutating func update(_ incident: WatchedIncident) {
    byFingerprint[incident.fingerprint] = incident
  }

  /// Removes a closed incident.
  mutating func remove(_ incident: WatchedIncident) {
    byFingerprint[incident.fingerprint] = nil
    places[incident.place, default: 1] -= 1
    byOwner[incident.owner]?.remove(incident.fingerprint)
  }
}
