public import Core

/// What a person may change of what is watched, each in the audit.
public struct Steering: Sendable {
  /// Who changes something, why, and by which request: asked again with the same id, it is done
  /// once.
  public struct Request: Sendable {
    /// Names the request.
    public var id: String
    /// Who asks.
    public var actor: String
    /// Why.
    public var reason: String?

    /// Creates the request.
    public init(id: String?, actor: String = LoginName.current, reason: String?) {
      self.id = id ?? Identifier.make()
      self.actor = actor
      self.reason = reason
    }
  }

  private let store: Store
  private let limits: ActionLimits

  /// Changes what a store keeps, so often a minute.
  public init(store: Store, limits: ActionLimits = ActionLimits()) {
    self.store = store
    self.limits = limits
  }

  /// The events of an incident that are kept, in their order, each as its line.
  ///
  /// - Throws: `StorageFailed`.
  public func events(ofIncident id: String) throws(Failure) -> [String] {
    try store.readWatched { (state) throws(Failure) in try state.events(ofIncident: id) }
  }

  /// Closes an incident.
  ///
  /// - Returns: The incident.
  /// - Throws: `NotFound`; `Conflict` for one that is closed, and for a known request id with other
  ///   contents; `RateLimited`, `StorageFailed`.
  public func close(
    incident id: String, _ request: Request, at now: Timestamp = .now
  ) throws(Failure) -> Incident {
    try change(request, .incident, id, "close", now) {
      (state, isRepeated) throws(Failure) -> Result<Incident, Failure> in
      guard var incident = try state.document(WatchedIncident.self, id) else {
        return .failure(Failure(.notFound, "there is no incident '\(id)'", input: id))
      }
      guard incident.closedAt == nil || isRepeated else {
        let closer = incident.closedBy ?? "somebody"
        return .failure(
          Failure(.conflict, "incident '\(id)' is closed already, by \(closer)", input: id))
      }
      if incident.closedAt == nil {
        incident.close(at: now.milliseconds, by: request.actor)
        try state.save(incident)
      }
      return .success(incident.record)
    }
  }

  /// Sets a threshold.
  ///
  /// - Returns: The threshold.
  /// - Throws: `Conflict` for a known request id with other contents, `RateLimited`,
  ///   `StorageFailed`.
  public func set(
    _ kind: Threshold.Kind, _ id: String?, to value: Double, _ request: Request,
    at now: Timestamp = .now
  ) throws(Failure) -> Threshold {
    let name = [kind.rawValue, id].compactMap(\.self).joined(separator: " ")
    return try change(request, .threshold, name, "set \(value)", now) {
      (state, isRepeated) throws(Failure) -> Result<Threshold, Failure> in
      if !isRepeated { try state.setThreshold(kind.rawValue, id ?? "", value) }
      return .success(try Thresholds(state).record(kind, id))
    }
  }

  /// Does something once a request, and keeps in the audit what came of it.
  private func change<Value>(
    _ request: Request, _ target: AuditEntry.Target, _ id: String, _ action: String,
    _ now: Timestamp,
    _ change: (WatchedState, _ isRepeated: Bool) throws(Failure) -> Result<Value, Failure>
  ) throws(Failure) -> Value {
    let result = try store.changeWatched { (state) throws(Failure) -> Result<Value, Failure> in
      let earlier = try state.audit(requestId: request.id)
      let done = earlier.first { $0.outcome == Self.applied }
      let isSame = done.map { $0.target == target && $0.id == id && $0.action == action } ?? true
      let isRepeated = done != nil && isSame
      let result: Result<Value, Failure>
      if !isSame {
        result = .failure(
          Failure(
            .conflict, "request '\(request.id)' was made before, for something else",
            input: request.id))
      } else if !isRepeated,
        let refusal = try state.refusal(of: request.actor, action, limits, at: now)
      {
        result = .failure(refusal)
      } else {
        result = try change(state, isRepeated)
      }
      let outcome =
        switch result {
        case .success: Self.applied
        case .failure(let failure): failure.code.rawValue
        }
      try state.note(
        AuditEntry(
          ts: now.milliseconds, target: target, id: id, action: action, requestId: request.id,
          actor: request.actor, reason: request.reason, outcome: outcome, replayed: isRepeated))
      return result
    }
    return try result.get()
  }

  private static let applied = "applied"
}
