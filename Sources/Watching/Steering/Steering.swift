public import Core
import Requests
public import Storage

/// The changes that a user may make to watched items.
///
/// Each change is recorded in the audit.
public struct Steering: Sendable {
  /// The author, reason and ID of a change.
  ///
  /// A request with a repeated ID has no further effect.
  public struct Request: Sendable {
    /// The ID of the request.
    ///
    /// A repeated ID makes the request a repetition.
    public var id: String
    /// The name of the person or program that makes the change.
    public var actor: String
    /// The id of the device that sent the request to a hub; nil for the hub's operator.
    public var deviceId: String?
    /// The reason for the change.
    public var reason: String?

    /// Creates the request.
    ///
    /// If no ID is given, it gets a new one.
    public init(
      id: String?, actor: String = LoginName.current, deviceId: String? = nil, reason: String?
    ) {
      self.id = id ?? Identifier.make()
      (self.actor, self.deviceId) = (actor, deviceId)
      self.reason = reason
    }
  }

  private let watched: Watched
  private let limits: ActionLimits

  /// The outcome that the audit records for a change that was made.
  private static let applied = "applied"

  /// Creates access to the changes in the given store, with the given rate limits.
  public init(store: Store, limits: ActionLimits = ActionLimits()) {
    watched = Watched(store)
    self.limits = limits
  }

  fileprivate init(_ watched: Watched, limits: ActionLimits) {
    self.watched = watched
    self.limits = limits
  }

  /// Closes the given incident.
  ///
  /// - Returns: The incident, now closed.
  /// - Throws: `NotFound` if there is no such incident; `Conflict` if it is already closed, or if
  ///   the request ID was already used with other contents; `RateLimited` if too many requests were
  ///   made; `StorageFailed` if the store cannot be changed.
  public func close(
    incident id: String, by request: Request, at now: Timestamp? = nil
  ) throws(Failure) -> Incident {
    let id = try Standing(watched, at: now ?? watched.store.now).wholeId(ofIncident: id)
    return try change(entry(of: request, .incident, id: id, action: "close"), at: now) {
      (state, now, isRepeated) throws(Failure) in
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

  /// Reopens the given closed incident.
  ///
  /// - Returns: The incident, now open.
  /// - Throws: `NotFound` if there is no such incident; `Conflict` if it is open, if a later
  ///   incident of the same errors is open, or if the request ID was already used with other
  ///   contents; `RateLimited` if too many requests were made; `StorageFailed` if the store cannot
  ///   be changed.
  public func reopen(
    incident id: String, by request: Request, at now: Timestamp? = nil
  ) throws(Failure) -> Incident {
    let id = try Standing(watched, at: now ?? watched.store.now).wholeId(ofIncident: id)
    return try change(entry(of: request, .incident, id: id, action: "reopen"), at: now) {
      (state, now, isRepeated) throws(Failure) in
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

  /// Sets the threshold of the given kind for the given ID; nil for all IDs without their own
  /// threshold.
  ///
  /// `action` follows when the value is reached; nil for none.
  ///
  /// - Returns: The new threshold.
  /// - Throws: `Conflict` if the request ID was already used with other contents; `RateLimited` if
  ///   too many requests were made; `StorageFailed` if the store cannot be changed.
  public func set(
    _ kind: Threshold.Kind, for id: String?, to value: Double,
    then action: Threshold.Action? = nil, by request: Request, at now: Timestamp? = nil
  ) throws(Failure) -> Threshold {
    let name = [kind.rawValue, id].compactMap(\.self).joined(separator: " ")
    let words = "set \(value)" + (action.map { " then \($0.rawValue)" } ?? "")
    return try change(entry(of: request, .threshold, id: name, action: words), at: now) {
      (state, _, isRepeated) throws(Failure) in
      if !isRepeated {
        try state.tables.setThreshold(kind.rawValue, id: id ?? "", to: value)
        if kind.allowsAction {
          try state.tables.setThreshold(kind.actionRow, id: id ?? "", to: action == nil ? 0 : 1)
        }
      }
      return .success(try Thresholds(state).record(kind, id))
    }
  }

  /// Returns the audit entry for the given request.
  ///
  /// It has neither a time nor an outcome yet.
  private func entry(
    of request: Request, _ target: AuditEntry.Target, id: String, action: String
  ) -> AuditEntry {
    AuditEntry(
      ts: 0, target: target, id: id, action: action, requestId: request.id,
      actor: request.actor, deviceId: request.deviceId, reason: request.reason, outcome: "")
  }

  /// Makes the given change once for each request ID, and records its outcome in the audit.
  ///
  /// If no time is given, the transaction reads it.
  private func change<Value: Sendable>(
    _ request: AuditEntry, at now: Timestamp?,
    _ change: (
      WatchedState, _ now: Timestamp, _ isRepeated: Bool
    ) throws(Failure) -> Result<Value, Failure>
  ) throws(Failure) -> Value {
    let result = try watched.change { (state) throws(Failure) in
      let now = now ?? state.tables.rows.now
      var request = request
      request.ts = now.milliseconds
      let ledger = RequestLedger(limits: limits, at: now)
      let done = try state.tables.rows.audit(requestId: request.requestId)
        .first { $0.outcome == Self.applied }
      let isSame = done.map {
        $0.target == request.target && $0.id == request.id && $0.action == request.action
      }
      return try ledger.answer(request, isSame: isSame, in: state.tables.rows) {
        () throws(Failure) in
        switch try change(state, now, isSame ?? false) {
        case .success(let value): .done(value, Self.applied)
        case .failure(let failure): .failed(failure)
        }
      }
    }
    return try result.get()
  }
}

extension Watcher {
  /// Returns access to the changes of these items, with the given rate limits.
  public func steering(limits: ActionLimits) -> Steering { Steering(watched, limits: limits) }
}
