public import Core
import Requests
public import Storage

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

    /// Creates the request; one without an id gets one.
    public init(id: String?, actor: String = LoginName.current, reason: String?) {
      self.id = id ?? Identifier.make()
      self.actor = actor
      self.reason = reason
    }
  }

  private let watched: Watched
  private let limits: ActionLimits

  /// What the audit says of what was done.
  private static let applied = "applied"

  /// Changes what a store keeps, so often a minute.
  public init(store: Store, limits: ActionLimits = ActionLimits()) {
    watched = Watched(store)
    self.limits = limits
  }

  fileprivate init(_ watched: Watched, limits: ActionLimits) {
    self.watched = watched
    self.limits = limits
  }

  /// Closes an incident.
  ///
  /// - Returns: The incident.
  /// - Throws: `NotFound`; `Conflict` for one that is closed, and for a known request id with other
  ///   contents; `RateLimited`, `StorageFailed`.
  public func close(
    incident id: String, by request: Request, at now: Timestamp = .now
  ) throws(Failure) -> Incident {
    let id = try Standing(watched, at: now).wholeId(ofIncident: id)
    return try change(entry(of: request, .incident, id: id, action: "close", at: now)) {
      (state, isRepeated) throws(Failure) in
      guard var incident = try state.document(WatchedIncident.self, id) else {
        return .failure(Failure(.notFound, "there is no incident '\(id)'", input: id))
      }
      guard incident.closedAt == nil || isRepeated else {
        let closer = incident.closedBy ?? "somebody"
        return .failure(
          Failure(.conflict, "incident '\(id)' was already closed by \(closer)", input: id))
      }
      if incident.closedAt == nil {
        incident.close(at: now.milliseconds, by: request.actor)
        state.settle(incident)
      }
      return .success(incident.record)
    }
  }

  /// Opens a closed incident again.
  ///
  /// - Returns: The incident.
  /// - Throws: `NotFound`; `Conflict` for one that is open, if a later incident of the same errors is
  ///   open, and for a known request id with other contents; `RateLimited`, `StorageFailed`.
  public func reopen(
    incident id: String, by request: Request, at now: Timestamp = .now
  ) throws(Failure) -> Incident {
    let id = try Standing(watched, at: now).wholeId(ofIncident: id)
    return try change(entry(of: request, .incident, id: id, action: "reopen", at: now)) {
      (state, isRepeated) throws(Failure) in
      guard var incident = try state.document(WatchedIncident.self, id) else {
        return .failure(Failure(.notFound, "there is no incident '\(id)'", input: id))
      }
      guard !isRepeated else { return .success(incident.record) }
      guard incident.closedAt != nil else {
        return .failure(Failure(.conflict, "incident '\(id)' is already open", input: id))
      }
      if let later = try state.openIncidents()[incident.fingerprint] {
        return .failure(
          Failure(
            .conflict, "cannot reopen incident '\(id)': '\(later.id)' with the same errors is open",
            input: id))
      }
      incident.reopen(at: now.milliseconds)
      state.settle(incident)
      return .success(incident.record)
    }
  }

  /// Sets a threshold, for one id or for all others.
  ///
  /// - Returns: The threshold.
  /// - Throws: `Conflict` for a known request id with other contents, `RateLimited`,
  ///   `StorageFailed`.
  public func set(
    _ kind: Threshold.Kind, for id: String?, to value: Double, by request: Request,
    at now: Timestamp = .now
  ) throws(Failure) -> Threshold {
    let name = [kind.rawValue, id].compactMap(\.self).joined(separator: " ")
    return try change(entry(of: request, .threshold, id: name, action: "set \(value)", at: now)) {
      (state, isRepeated) throws(Failure) in
      if !isRepeated { try state.tables.setThreshold(kind.rawValue, id: id ?? "", to: value) }
      return .success(try Thresholds(state).record(kind, id))
    }
  }

  /// The request as the audit has it, before it is known what came of it.
  private func entry(
    of request: Request, _ target: AuditEntry.Target, id: String, action: String,
    at now: Timestamp
  ) -> AuditEntry {
    AuditEntry(
      ts: now.milliseconds, target: target, id: id, action: action, requestId: request.id,
      actor: request.actor, reason: request.reason, outcome: "")
  }

  /// Does something once a request, and keeps in the audit what came of it.
  private func change<Value: Sendable>(
    _ request: AuditEntry,
    _ change: (WatchedState, _ isRepeated: Bool) throws(Failure) -> Result<Value, Failure>
  ) throws(Failure) -> Value {
    let ledger = RequestLedger(limits: limits, at: Timestamp(milliseconds: request.ts))
    let result = try watched.change { (state) throws(Failure) in
      let done = try state.tables.rows.audit(requestId: request.requestId)
        .first { $0.outcome == Self.applied }
      let isSame = done.map {
        $0.target == request.target && $0.id == request.id && $0.action == request.action
      }
      return try ledger.answer(request, isSame: isSame, in: state.tables.rows) {
        () throws(Failure) in
        switch try change(state, isSame ?? false) {
        case .success(let value): .done(value, Self.applied)
        case .failure(let failure): .failed(failure)
        }
      }
    }
    return try result.get()
  }
}

extension Watcher {
  /// What a person may change of what this one knows, so often a minute.
  public func steering(limits: ActionLimits) -> Steering { Steering(watched, limits: limits) }
}
