public import Core

/// What a person may change of what is watched, each in the audit.
public struct Steering: Sendable {
  private let store: Store

  /// Changes what a store keeps.
  public init(store: Store) { self.store = store }

  /// The events of an incident that are kept, in their order, each as its line.
  ///
  /// - Throws: `StorageFailed`.
  public func events(ofIncident id: String) throws(Failure) -> [String] {
    try store.readWatched { (state) throws(Failure) in try state.events(ofIncident: id) }
  }

  /// Closes an incident.
  ///
  /// - Returns: The incident.
  /// - Throws: `NotFound`; `Conflict` for one that is closed; `StorageFailed`.
  public func close(
    incident id: String, reason: String?, requestId: String, actor: String = Actor.current,
    at now: Timestamp = .now
  ) throws(Failure) -> Incident {
    let earlier = try store.audit(requestId: requestId).contains {
      $0.id == id && $0.action == "close" && $0.outcome == Self.applied
    }
    let result = try store.changeWatched { (state) throws(Failure) -> Result<Incident, Failure> in
      func note(_ outcome: String) throws(Failure) {
        try state.note(
          AuditEntry(
            ts: now.milliseconds, target: .incident, id: id, action: "close",
            requestId: requestId, actor: actor, reason: reason, outcome: outcome,
            replayed: earlier))
      }
      guard var incident = try state.document(WatchedIncident.self, id) else {
        try note(FailureCode.notFound.rawValue)
        return .failure(Failure(.notFound, "there is no incident '\(id)'", input: id))
      }
      guard incident.closedAt == nil || earlier else {
        try note(FailureCode.conflict.rawValue)
        let closer = incident.closedBy ?? "somebody"
        return .failure(
          Failure(.conflict, "incident '\(id)' is closed already, by \(closer)", input: id))
      }
      if incident.closedAt == nil {
        incident.closedAt = now.milliseconds
        incident.closedBy = actor
        try state.save(incident)
      }
      try note(Self.applied)
      return .success(incident.record)
    }
    return try result.get()
  }

  /// Sets a threshold.
  ///
  /// - Returns: The threshold.
  /// - Throws: `StorageFailed`.
  public func set(
    _ kind: Threshold.Kind, _ id: String?, to value: Double, reason: String?, requestId: String,
    actor: String = Actor.current, at now: Timestamp = .now
  ) throws(Failure) -> Threshold {
    try store.changeWatched { (state) throws(Failure) in
      try state.setThreshold(kind.rawValue, id ?? "", value)
      try state.note(
        AuditEntry(
          ts: now.milliseconds, target: .threshold,
          id: [kind.rawValue, id].compactMap(\.self)
            .joined(separator: " "), action: "set \(value)", requestId: requestId, actor: actor,
          reason: reason, outcome: Self.applied))
      return try Thresholds(state).record(kind, id)
    }
  }

  private static let applied = "applied"
}
