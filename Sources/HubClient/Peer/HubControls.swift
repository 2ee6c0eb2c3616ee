public import Core
import Foundation
import HTTP
import HubWords
public import Requests
import Synchronization

/// Lets agents of this process be steered from a hub: hands over each control that comes for them, once,
/// and tells the hub what came of it.
///
/// While the hub is away, nothing comes; then it is connected to again.
public final class HubControls: Sendable {
  private struct State {
    /// What was handed over, and its outcome where there is one.
    var known: [PendingControl: ControlOutcome?] = [:]
    /// What the hub does not know yet.
    var untold: Set<PendingControl> = []
    var hasFailed = false
    var tasks: [Task<Void, Never>] = []
  }

  private let peer: HubPeer
  private let runners: [Runner]
  private let note: Note
  private let handle: @Sendable (HubControls, PendingControl) -> Void
  private let gates: HubGates?
  private let state = Mutex(State())
  private let told = DispatchSemaphore(value: 0)
  private let answers = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  /// Before the first pause between tries.
  private static let backoff = Backoff(first: 0.25, longest: 5)

  /// Begins to wait for controls.
  ///
  /// - Parameters:
  ///   - peer: The hub.
  ///   - runners: The agents, of one run.
  ///   - gates: Takes the hub's reports of the gates at which the agents wait.
  ///   - note: Is told once why they cannot be steered, where that is not for a lost connection.
  ///   - handle: Is given each control; it is answered by ``answer(_:_:)``.
  public init(
    _ peer: HubPeer, _ runners: [Runner], gates: HubGates? = nil, note: @escaping Note,
    handle: @escaping @Sendable (HubControls, PendingControl) -> Void
  ) {
    (self.peer, self.runners, self.note, self.handle) = (peer, runners, note, handle)
    self.gates = gates
    let tasks = [Task { await follow() }, Task { await tell() }]
    state.withLock { $0.tasks = tasks }
  }

  /// Tells the hub what came of a control, as soon as that can be done.
  public func answer(_ control: PendingControl, _ outcome: ControlOutcome) {
    state.withLock { state in
      state.known[control] = outcome
      state.untold.insert(control)
    }
    answers.continuation.yield()
  }

  /// Waits until the hub has the answers, and ends.
  ///
  /// - Parameter seconds: How long at most.
  public func close(within seconds: Double) {
    let end = ContinuousClock.now + .seconds(seconds)
    while state.withLock({ !$0.untold.isEmpty }), ContinuousClock.now < end {
      _ = told.wait(timeout: .now() + max(0, (end - .now) / .seconds(1)))
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
        try await peer.follow("/v1/controls", query: query) { event in
          if !isConnected, let gates {
            isConnected = true
            Task { await gates.tellAll() }
          }
          backoff.reset()
          state.withLock { $0.hasFailed = false }
          if let event { take(event) }
        }
      } catch {
        failed(error)
      }
      // A hub that has just begun anew looks for its agents for a while.
      try? await Task.sleep(for: .seconds(backoff.jittered))
      backoff.grow()
    }
  }

  private func take(_ event: ServerSentEvent) {
    if event.event == GateAnswer.event {
      guard let gates, let answer = try? GateAnswer(json: Array(event.data.utf8)) else { return }
      Task { await gates.take(answer) }
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
      // The hub has not heard what came of it.
      if known != nil { state.untold.insert(control) }
      return false
    }
    if isNew { handle(self, control) } else { answers.continuation.yield() }
  }

  private func failed(_ failure: Failure) {
    // Who sends the events tells of a hub that is away.
    guard [.conflict, .permissionDenied, .notFound, .badInput].contains(failure.code) else {
      return
    }
    let isFirst = state.withLock { state in
      defer { state.hasFailed = true }
      return !state.hasFailed
    }
    if isFirst {
      let agents = runners.count == 1 ? "the agent" : "the run"
      note("\(agents) cannot be steered from '\(peer.hub.url)': \(failure.explanation)")
    }
  }

  // MARK: Answers

  private func tell() async {
    for await _ in answers.stream {
      var backoff = Self.backoff
      while !Task.isCancelled {
        let untold = state.withLock { state in
          state.untold.compactMap { asked in state.known[asked]?.map { (asked, $0) } }
        }
        guard !untold.isEmpty else { break }
        for (asked, outcome) in untold { await tell(asked, outcome) }
        guard state.withLock({ !$0.untold.isEmpty }) else { break }
        backoff.grow()
        try? await Task.sleep(for: .seconds(backoff.seconds))
      }
    }
  }

  private func tell(_ asked: PendingControl, _ outcome: ControlOutcome) async {
    let answer = ControlAnswer(
      agentId: asked.agentId, sessionId: runners.first?.sessionId ?? "", outcome: outcome)
    do throws(Failure) {
      _ = try await peer.send(
        "POST", "/v1/controls/\(asked.requestId.percentEncoded)", body: try answer.body())
    } catch {
      // One that does not know the run yet asks again when it does.
      guard error.code == .notFound || error.code == .badInput else { return }
    }
    state.withLock { _ = $0.untold.remove(asked) }
    told.signal()
  }
}
