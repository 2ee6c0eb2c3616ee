public import Core

/// From where on something is the matter: what somebody set, else what holds by itself.
struct Thresholds {
  private var set: [Threshold.Kind: [String: Double]] = [:]

  /// Reads what somebody set.
  init(_ state: WatchedState) throws(Failure) {
    for row in try state.tables.thresholds() {
      guard let kind = Threshold.Kind(rawValue: row.kind) else { continue }
      set[kind, default: [:]][row.id] = row.value
    }
  }

  /// The number that holds for an id.
  func value(_ kind: Threshold.Kind, _ id: String?) -> Double {
    id.flatMap { set[kind]?[$0] } ?? set[kind]?[""] ?? kind.usual
  }

  /// The least that holds for any id.
  func least(_ kind: Threshold.Kind) -> Double {
    (set[kind] ?? [:]).values.reduce(value(kind, nil), min)
  }

  /// All of them: each kind's, then those that were set for an id.
  var records: [Threshold] {
    Threshold.Kind.allCases.flatMap { kind in
      [record(kind, nil)]
        + (set[kind] ?? [:]).keys.filter { !$0.isEmpty }.sorted().map { record(kind, $0) }
    }
  }

  /// One as a record.
  func record(_ kind: Threshold.Kind, _ id: String?) -> Threshold {
    Threshold(
      kind: kind, id: id, value: value(kind, id), unit: kind.unit,
      isDefault: set[kind]?[id ?? ""] == nil)
  }
}

extension Threshold.Kind {
  /// What holds where nobody has set anything.
  var usual: Double {
    switch self {
    case .incident: 10
    case .approvalGate: 0
    case .contextCapacity: 0.8
    case .redundancySpike: 0.5
    case .skillFailure: 0.5
    case .swarmDegraded: 0.2
    case .stuckAgents: 20
    case .incidentQuiet: 1800
    }
  }

  /// What the number counts.
  public var unit: String {
    switch self {
    case .incident: "errors"
    case .approvalGate, .incidentQuiet: "seconds"
    case .contextCapacity, .redundancySpike, .skillFailure, .swarmDegraded: "part"
    case .stuckAgents: "heartbeats"
    }
  }

  /// Whether a number makes sense.
  public func allows(_ value: Double) -> Bool {
    value.isFinite && value >= 0 && (unit != "part" || value <= 1)
  }
}
