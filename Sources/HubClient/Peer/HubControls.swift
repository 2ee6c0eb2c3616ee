public import Core
import Foundation
import HTTP
import HubWords
public import Requests
import Synchronization

/// A connection through which a hub steers the agents of this process.
///
/// Each control is delivered once. If the hub becomes unavailable, another hub of the group takes
/// the agents over. While none is available, no controls arrive, and further attempts to connect
/// are made.
public final class HubControls: Sendable {
  private struct State {
    /// The delivered controls and their outcomes.
    ///
    /// The outcome is nil until it is known.
    var known: [PendingControl: ControlOutcome?] = [:]
    /// The controls whose outcome the hub does not know yet.
    var unreported: Set<PendingControl> = []
    /// The sentences for people that belong to outcomes.
    var notes: [PendingControl: String] = [:]
    var hasFailed = false
    var tasks: [Task<Void, Never>] = []
  }

  private let hubs: HubGroup
  private let runners: [Runner]
  private let report: NoticeHandler
  private let handle: @Sendable (HubControls, PendingControl) -> Void
  private let gates: HubGates?
  private let state = Mutex(State())
  private let reported = DispatchSemaphore(value: 0)
  private let answers = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  /// The pauses between attempts to connect.
  private static let backoff = Backoff(first: 0.25, longest: 5)

  /// Starts to receive controls.
  ///
  /// - Parameters:
  ///   - hubs: The hub or its group.
  ///   - runners: The agents, all of the same run.
  ///   - gates: Receives the hub's reports of gates; nil to ignore them.
  ///   - report: Receives one sentence if the hub refuses to steer the agents. Lost connections are
  ///     not reported.
  ///   - handle: Receives each control, and answers it through ``answer(_:_:)``.
  public init(
    _ hubs: HubGroup, _ runners: [Runner], gates: HubGates? = nil, report: @escaping NoticeHandler,
    handle: @escaping @Sendable (HubControls, PendingControl) -> Void
  ) {
    (self.hubs, self.runners, self.report, self.handle) = (hubs, runners, report, handle)
    self.gates = gates
    let tasks = [Task { await follow() }, Task { await reportOutcomes() }]
    state.withLock { $0.tasks = tasks }
  }

  /// Sends the outcome of the given control to the hub as soon as possible, with a sentence for a
  /// person.
  public func answer(
    _ control: PendingControl, _ outcome: ControlOutcome, note: String? = nil
  ) {
    state.withLock { state in
      state.notes[control] = note
      state.known[control] = outcome
      state.unreported.insert(control)
    }
    answers.continuation.yield()
  }

  /// Waits until the hub has all outcomes, and then disconnects.
  ///
  /// - Parameter seconds: The longest wait.
  public func close(within seconds: Double) {
    let end = ContinuousClock.now + .seconds(seconds)
    while state.withLock({ !$0.unreported.isEmpty }), ContinuousClock.now < end {
      _ = reported.wait(timeout: .now() + max(0, (end - .now) / .seconds(1)))
    }
    for task in state.withLock({ $0.tasks }) { task.cancel() }
  }

  // MARK: Controls

  private func follow() async {
    var query = runners.map { (name: "agentId", value: $0.agentId) }
    if let run = runners.first?.sessionId { query.append(("sessionId", run)) }
    if let swarm = runners.first?.swarmId { query.append(("swarmId", swarm)) }
    var backoff = Self.backoff
    while !Task.isCancelled {
      var isConnected = false
      do throws(Failure) {
        try await hubs.follow("/v1/controls", query: query) { event in
          if !isConnected, let gates {
            isConnected = true
            Task { await gates.sendDecisions() }
          }
          backoff.reset()
          state.withLock { $0.hasFailed = false }
          if let event { receive(event) }
        }
      } catch {
        failed(error)
      }
      // A restarted hub may not know the agents for a moment.
      try? await Task.sleep(for: .seconds(backoff.jittered))
      backoff.grow()
    }
  }

  private func receive(_ event: ServerSentEvent) {
    if event.event == GateAnswer.event {
      guard let gates, let answer = try? GateAnswer(json: Array(event.data.utf8)) else { return }
      Task { await gates.apply(answer) }
      return
    }
    guard
      let control = try? PendingControl(json: Array(event.data.utf8)),
      runners.contains(where: { $0.agentId == control.agentId })
    else { return }
    let isNew = state.withLock { state in
      guard let known = state.known[control] else {
        state.known[control] = .some(nil)
        return true
      }
      // The hub sent the control again, so it does not have the outcome.
      if known != nil { state.unreported.insert(control) }
      return false
    }
    if isNew { handle(self, control) } else { answers.continuation.yield() }
  }

  private func failed(_ failure: Failure) {
    // The outbox already reports an unreachable hub.
    guard [.conflict, .permissionDenied, .notFound, .badInput].contains(failure.code) else {
      return
    }
    let isFirst = state.withLock { state in
      defer { state.hasFailed = true }
      return !state.hasFailed
    }
    if isFirst {
      let agents = runners.count == 1 ? "the agent" : "the run"
      report("\(agents) cannot be steered from '\(hubs.hub.url)': \(failure.explanation)")
    }
  }

  // MARK: Answers

  private func reportOutcomes() async {
    for await _ in answers.stream {
      var backoff = Self.backoff
      while !Task.isCancelled {
        let unreported = state.withLock { state in
          state.unreported.compactMap { asked in state.known[asked]?.map { (asked, $0) } }
        }
        guard !unreported.isEmpty else { break }
        for (asked, outcome) in unreported { await send(outcome, of: asked) }
        guard state.withLock({ !$0.unreported.isEmpty }) else { break }
        backoff.grow()
        try? await Task.sleep(for: .seconds(backoff.seconds))
      }
    }
  }

  private func send(_ outcome: ControlOutcome, of asked: PendingControl) async {
    let answer = ControlAnswer(
      agentId: asked.agentId, sessionId: runners.first?.sessionId ?? "", outcome: outcome,
      note: state.withLock { $0.notes[asked] })
    do throws(Failure) {
      _ = try await hubs.outcome(
        "POST", "/v1/controls/\(asked.requestId.percentEncoded)", body: try answer.body()
      ).get()
    } catch {
      // If the hub does not know the run yet, it will send the control again.
      guard error.code == .notFound || error.code == .badInput else { return }
    }
    state.withLock { _ = $0.unreported.remove(asked) }
    reported.signal()
  }
}
