/// The incidents that go on.
struct OpenIncidents: Sendable {
  private var byFingerprint: [String: WatchedIncident] = [:]
  /// How many go on of each place that errors come from.
  private var places: [String: Int] = [:]
  /// Their fingerprints by the agent, or else the swarm, that they are about.
  private var byOwner: [String: Set<String>] = [:]

  /// Of one place no more incidents than this go on; what else comes there is one more.
  private static let mostOfPlace = 50
  /// Of all places, no more than this.
  private static let most = 2000

  init(_ incidents: [WatchedIncident]) {
    for incident in incidents { add(incident) }
  }

  /// The incident of a fingerprint.
  subscript(fingerprint: String) -> WatchedIncident? { byFingerprint[fingerprint] }

  /// What an error is counted as: the fingerprint of the error of its agent that it follows from, else
  /// its own, or where too many go on already, what stands for all others.
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

  /// Those that are about somebody.
  func fingerprints(ofOwner owner: String) -> Set<String> { byOwner[owner] ?? [] }

  /// Adds one that begins.
  mutating func add(_ incident: WatchedIncident) {
    byFingerprint[incident.fingerprint] = incident
    places[incident.place, default: 0] += 1
    byOwner[incident.owner, default: []].insert(incident.fingerprint)
  }

  /// Sets one that goes on to what it is now.
  mutating func update(_ incident: WatchedIncident) {
    byFingerprint[incident.fingerprint] = incident
  }

  /// Takes one out that is over.
  mutating func remove(_ incident: WatchedIncident) {
    byFingerprint[incident.fingerprint] = nil
    places[incident.place, default: 1] -= 1
    byOwner[incident.owner]?.remove(incident.fingerprint)
  }
}
