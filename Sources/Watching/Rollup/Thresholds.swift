public import Core

/// The thresholds of alerts.
///
/// If the user has set no threshold, the default applies.
struct Thresholds {
  private var set: [Threshold.Kind: [String: Double]] = [:]
  private var actions: [Threshold.Kind: [String: Threshold.Action]] = [:]

  /// Reads the thresholds that the user has set.
  init(_ state: WatchedState) throws(Failure) {
    for row in try state.tables.thresholds() {
      if let kind = Threshold.Kind(rawValue: row.kind) {
        set[kind, default: [:]][row.id] = row.value
      } else if let kind = Threshold.Kind.allCases.first(where: { $0.actionRow == row.kind }) {
        actions[kind, default: [:]][row.id] = row.value == 1 ? .pause : nil
      }
    }
  }

  /// Returns the action of the threshold of the given kind for the given ID; nil for none.
  func action(_ kind: Threshold.Kind, _ id: String?) -> Threshold.Action? {
    // A threshold without an action overrides the general one with its action.
    let owner = id.flatMap { set[kind]?[$0] } == nil ? "" : id ?? ""
    return actions[kind]?[owner]
  }

  /// Returns the threshold of the given kind for the given ID.
  func value(_ kind: Threshold.Kind, _ id: String?) -> Double {
    id.flatMap { set[kind]?[$0] } ?? set[kind]?[""] ?? kind.usual
  }

  /// Returns the lowest threshold of the given kind, among those of all IDs.
  func least(_ kind: Threshold.Kind) -> Double {
    (set[kind] ?? [:]).values.reduce(value(kind, nil), min)
  }

  /// All thresholds as records: first the general one of each kind, then those of single IDs.
  var records: [Threshold] {
    Threshold.Kind.allCases.flatMap { kind in
      [record(kind, nil)]
        + (set[kind] ?? [:]).keys.filter { !$0.isEmpty }.sorted().map { record(kind, $0) }
    }
  }

  /// Returns the threshold of the given kind and ID as a record.
  ///
  /// If the ID is nil, this is the threshold for all IDs without their own.
  func record(_ kind: Threshold.Kind, _ id: String?) -> Threshold {
    Threshold(
      kind: kind, id: id, value: value(kind, id), unit: kind.unit,
      isDefault: set[kind]?[id ?? ""] == nil, then: action(kind, id))
  }
}

extension Threshold.Kind {
  /// The default value for thresholds of this kind.
  var usual: Double {
    switch self {
    case .incident: 10
    case .approvalGate: 0
    case .contextCapacity: 0.8
    case .redundancySpike: 0.5
    case .skillFailure: 0.5
    case .swarmDegraded: 0.2
    case .stuckAgents: 20
    case .swarmCost, .swarmAgents: 0
    case .incidentQuiet: 1800
    }
  }

  /// The unit of thresholds of this kind.
  public var unit: String {
    switch self {
    case .incident: "errors"
    case .approvalGate, .incidentQuiet: "seconds"
    case .contextCapacity, .redundancySpike, .skillFailure, .swarmDegraded: "part"
    case .stuckAgents: "heartbeats"
    case .swarmCost: "dollars"
    case .swarmAgents: "agents"
    }
  }

  /// `true` if an action may follow when a threshold of this kind is reached.
  public var allowsAction: Bool { self == .swarmCost || self == .swarmAgents }

  /// The kind of the stored row that holds the action: 1 for a pause, and 0 for none.
  ///
  /// Earlier versions skip such rows.
  var actionRow: String { "\(rawValue).then" }

  /// Returns `true` if the given value is valid for thresholds of this kind.
  public func allows(_ value: Double) -> Bool {
    value.isFinite && value >= 0 && (unit != "part" || value <= 1)
  }
}
