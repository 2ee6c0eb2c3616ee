public import Core
import Events
public import Requests
import Storage
import Synchronization

/// A steerer of agents, gates and watched items on this machine; see ``Steerer``.
public final class LocalSteering: Steerer {
  private let directories: Directories
  private let interruption: Interruption
  private let report: NoticeHandler
  private let limits: @Sendable () throws(Failure) -> ActionLimits
  private let hub: @Sendable (_ url: String) throws(Failure) -> any Steerer
  private let opened = Mutex<Store?>(nil)
  /// The journal in which the states of gates are recorded.
  private let journal: EventJournal

  /// Creates the steerer without opening anything.
  ///
  /// - Parameters:
  ///   - directories: The directories of the store and the log.
  ///   - interruption: The interruption that ends a wait.
  ///   - limits: A closure that returns the rate limits of requests and decisions.
  ///   - report: A closure that receives a message if events cannot be stored or read. Steering
  ///     continues nevertheless.
  ///   - hub: A closure that returns the steerer of the hub with the given URL, for a gate that the
  ///     hub owns.
  public init(
    _ directories: Directories, interruption: Interruption,
    limits: @escaping @Sendable () throws(Failure) -> ActionLimits,
    report: @escaping NoticeHandler,
    hub: @escaping @Sendable (_ url: String) throws(Failure) -> any Steerer
  ) {
    (self.directories, self.interruption) = (directories, interruption)
    (self.limits, self.report, self.hub) = (limits, report, hub)
    journal = EventJournal(directories, report: report)
  }

  /// Opens the store, or creates it if it does not exist.
  private func store() throws(Failure) -> Store {
    try opened.withLock { (opened) throws(Failure) in
      if let opened { return opened }
      let store = try Store(directories)
      opened = store
      return store
    }
  }

  // MARK: Agents

  /// Sends the given control to agents; see ``Steerer``.
  public func send(
    _ request: ControlRequest, waiting seconds: Double
  ) throws(Failure) -> ControlReceipt {
    let (store, journal) = (try store(), try EventJournal(opening: directories))
    let controls = Controls(
      store: store, journal: journal, limits: try limits())
    return try controls.send(
      request, waiting: seconds, interruption: interruption, prepare: { catchUp(store, journal) })
  }

  /// Checks that the given target exists; see ``Steerer``.
  public func find(_ target: ControlTarget, _ id: String) throws(Failure) {
    let (store, journal) = (try store(), try EventJournal(opening: directories))
    catchUp(store, journal)
    try Controls(store: store, journal: journal)
      .find(target, id)
  }

  /// Records in the audit that the given request was refused; see ``Steerer``.
  public func record(_ request: ControlRequest, refused failure: Failure) throws(Failure) {
    try Controls.record(request, refused: failure, in: try store())
  }

  /// Finds the terminal of the given agent in the event log; see ``Steerer``.
  public func terminal(
    ofAgent agent: String
  ) throws(Failure) -> (host: String?, session: String) {
    let terminals = AgentTerminals(configured: [:], directories)
    return (nil, try terminals.terminal(of: agent, at: .now).session)
  }

  /// Processes new events.
  ///
  /// If that fails, the failure is reported as a note, and steering continues.
  private func catchUp(_ store: Store, _ journal: EventJournal) {
    do throws(Failure) {
      try Watcher(store: store, journal: journal).catchUp()
    } catch {
      report("cannot read events: \(error.explanation)")
    }
  }

  // MARK: Gates

  private func decided() throws(Failure) -> Gates {
    Gates(store: try store(), journal: journal)
  }

  /// Lists the gates; returns none if there is no store.
  ///
  /// See ``Steerer``.
  public func gates(withDecided: Bool) throws(Failure) -> [ApprovalGate] {
    guard let store = try Store(forQuestionsInExisting: directories) else { return [] }
    return try Gates.list(store, withDecided: withDecided)
  }

  /// Finds the gate with the given ID; see ``Steerer``.
  public func gate(_ id: String) throws(Failure) -> GateReport {
    guard let store = try Store(forQuestionsInExisting: directories) else {
      throw Failure(.notFound, "there is no gate '\(id)'", input: id)
    }
    return try Standing(store).report(ofGate: id)
  }

  /// Decides the given gate; see ``Steerer``.
  ///
  /// A gate that a hub owns is decided at that hub.
  ///
  /// - Throws: `NetworkUnavailable` if the gate's hub does not answer; the errors of
  ///   `Gates.decide`.
  public func decide(
    _ id: String, _ decision: Decision, by request: Steering.Request, isHere: Bool
  ) throws(Failure) -> Gates.Verdict {
    let store = try store()
    let id = try Gates.whole(id, in: store)
    let hub = try store.hub(ofGate: id)
    if let hub, hub.isOwner, !isHere { return try decide(id, decision, by: request, at: hub.url) }
    do throws(Failure) {
      let verdict = try decided().decide(
        id, decision, by: request, limits: try limits(), isHere: isHere)
      guard let hub, verdict.failure == nil else { return verdict }
      // If the hub does not answer now, a later run sends it the decision.
      let told = try? decide(id, decision, by: request, at: hub.url)
      return told.flatMap { $0.failure == nil ? nil : $0 } ?? verdict
    } catch {
      // The hub took over the gate a moment ago.
      guard error.kind == .held, let url = error.url else { throw error }
      return try decide(id, decision, by: request, at: url)
    }
  }

  /// Decides the given gate at the hub with the given URL, and stores the receipt.
  private func decide(
    _ id: String, _ decision: Decision, by request: Steering.Request, at url: String
  ) throws(Failure) -> Gates.Verdict {
    let verdict: Gates.Verdict
    do throws(Failure) {
      verdict = try hub(url).decide(id, decision, by: request, isHere: false)
    } catch {
      guard [.networkUnavailable, .timeout].contains(error.code) else { throw error }
      throw Failure(
        .networkUnavailable, "'\(url)' owns gate '\(id)' but does not answer", url: url, input: id,
        cause: error.explanation,
        nextStep: "try again, or take the gate back: gate-decide \(decision.rawValue) --here")
    }
    try store().settle(gate: id, by: verdict.receipt)
    return verdict
  }

  /// Opens a gate and waits for its decision; see ``Steerer``.
  public func decision(
    on question: GateQuestion, show: (ApprovalGate) throws(Failure) -> Void
  ) throws(Failure) -> GateReport {
    try decided().decision(on: question, interruption: interruption, show: show)
  }

  /// Closes the given gate if it is pending; see ``Steerer``.
  public func withdraw(_ gateId: String, because reason: String) throws(Failure) {
    try decided().withdraw(gateId, because: reason)
  }

  // MARK: Watched items

  /// Sets a threshold of alerts; see ``Steerer``.
  public func set(
    _ kind: Threshold.Kind, for id: String?, to value: Double, then action: Threshold.Action?,
    by request: Steering.Request
  ) throws(Failure) -> Threshold {
    try Steering(store: try store(), limits: try limits()).set(
      kind, for: id, to: value, then: action, by: request)
  }

  /// Closes an incident; see ``Steerer``.
  public func close(
    incident id: String, by request: Steering.Request
  ) throws(Failure) -> Incident {
    try incidents().close(incident: id, by: request)
  }

  /// Opens a closed incident again; see ``Steerer``.
  public func reopen(
    incident id: String, by request: Steering.Request
  ) throws(Failure) -> Incident {
    try incidents().reopen(incident: id, by: request)
  }

  private func incidents() throws(Failure) -> Steering {
    let store = try store()
    try Watcher(store: store, journal: try EventJournal(opening: directories)).catchUp()
    return Steering(store: store, limits: try limits())
  }
}
