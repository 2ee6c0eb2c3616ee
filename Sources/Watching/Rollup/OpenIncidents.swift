/// A cache of all open incidents.
struct OpenIncidents: Sendable {
  private var byFingerprint: [String: WatchedIncident] = [:]
  /// The number of open incidents for each origin of errors.
  ///
  /// The origin is a swarm or, for an agent without a swarm, the agent.
  private var places: [String: Int] = [:]
  /// The fingerprints of each owner's incidents.
  ///
  /// The owner is an agent or, without an agent, a swarm.
  private var byOwner: [String: Set<String>] = [:]

  /// The maximum number of open incidents with one origin.
  ///
  /// Further errors share one more incident.
  private static let mostOfPlace = 50
  /// The maximum total number of open incidents.
  private static let most = 2000

  init(_ incidents: [WatchedIncident]) {
    for incident in incidents { add(incident) }
  }

  /// Returns the open incident with the given fingerprint; nil if there is none.
  subscript(fingerprint: String) -> WatchedIncident? { byFingerprint[fingerprint] }

  /// Returns the fingerprint of the incident that the given error belongs to.
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

  /// Returns the fingerprints of the incidents of the given owner.
  func fingerprints(ofOwner owner: String) -> Set<String> { byOwner[owner] ?? [] }

  /// Adds the given new incident.
  mutating func add(_ incident: WatchedIncident) {
    byFingerprint[incident.fingerprint] = incident
    places[incident.place, default: 0] += 1
    byOwner[incident.owner, default: []].insert(incident.fingerprint)
  }

  /// Replaces the open incident with the same fingerprint by the given state.
  mutating func update(_ incident: WatchedIncident) {
    byFingerprint[incident.fingerprint] = incident
  }

  /// Removes the given incident after it was closed.
  mutating func remove(_ incident: WatchedIncident) {
    byFingerprint[incident.fingerprint] = nil
    places[incident.place, default: 1] -= 1
    byOwner[incident.owner]?.remove(incident.fingerprint)
  }
}
