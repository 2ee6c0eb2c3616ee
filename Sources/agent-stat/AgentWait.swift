import ArgumentParser
import Command
import Core
import HubClient
import HubQuestions
import Watching

struct WaitForAgents: Tool {
  static let configuration = verbConfiguration(
    "wait", abstract: "Wait until an agent waits, ends or fails")

  @Option(help: ArgumentHelp("Wait for this agent only.", valueName: "id"), completion: .agents)
  var agent: String?
  @Option(help: "Wait for this state; ended by default.")
  var status: AwaitedState?
  @Option(
    name: .customLong("for"),
    help: "Wait for an agent that waits for this; may be repeated.")
  var causes: [WaitCause] = []
  @Option(help: ArgumentHelp("Wait at most this long.", valueName: "time"))
  var timeout: Seconds?
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  /// The state that is awaited.
  private var state: AwaitedState { status ?? (causes.isEmpty ? .ended : .waiting) }

  func validate() throws {
    guard causes.isEmpty || state == .waiting else {
      throw ValidationError("--for waits for agents that wait, not for '\(state.rawValue)'.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    let place = try Place(hub.hub, session)
    let links = place.links()
    let found = try await place.wait { () throws(Failure) in
      try self.found(at: try place.lookout(), session)
    }
    try session.write(found.map(links.linked), from: place.host)
  }

  /// Asks for the agents after every change in the data folder, and once a second.
  private func found(at lookout: any Lookout, _ session: Session) throws(Failure) -> [Agent] {
    try Directories.make(session.directories.data)
    let changes = try FileWatch(
      folder: session.directories.data, interruption: session.interruption)
    var wait = AgentWait(agent: agent, state: state, causes: Set(causes))
    let end = timeout.map { ContinuousClock.now + .seconds($0.value) }
    while true {
      let outlook = try lookout.outlook()
      let agents = try outlook.agents(ofSwarm: nil, status: nil)
      // An old answer of a hub does not show the current state.
      let found = outlook.staleness == nil ? try wait.found(among: agents) : []
      guard found.isEmpty else { return found }
      let left = end.map { ($0 - .now) / .milliseconds(1) } ?? .infinity
      guard left > 0 else { throw late }
      let isChanged = try changes.hasChanged(within: Int32(min(left.rounded(.up), 1000)))
      // This limits the rate to a few questions a second, however much changes.
      if isChanged { _ = try session.interruption.isReadable(-1, within: 100) }
    }
  }

  private var late: Failure {
    let time = timeout?.defaultValueDescription ?? ""
    let causes = causes.map { "'\($0.rawValue)'" }.joined(separator: " or ")
    let goal = causes.isEmpty ? "'\(state.rawValue)'" : "'waiting' for \(causes)"
    let words =
      agent.map { "agent '\($0)' did not reach \(goal) within \(time)" }
      ?? "no agent reached \(goal) within \(time)"
    return Failure(.timeout, words, kind: .wait, input: agent)
  }
}

/// A state of agents for which a script can wait.
enum AwaitedState: String, CaseIterable, ExpressibleByArgument {
  /// The agent waits for a person or for the reset of a usage limit.
  case waiting
  /// The agent is no longer running. It finished, failed, was terminated or is lost.
  case ended
  /// The agent failed.
  case error

  /// Returns `true` if an agent with the given status is in this state.
  func includes(_ status: AgentStatus) -> Bool {
    switch self {
    case .waiting: status == .waiting
    case .ended: !status.isActive
    case .error: status == .error
    }
  }
}

/// The search for the agents that end a wait.
struct AgentWait {
  /// The agent that is awaited, by its ID or a part of it; nil for any agent.
  let agent: String?
  let state: AwaitedState
  /// The awaited causes of a wait; empty for any.
  let causes: Set<WaitCause>
  /// The runs that had ended when the wait began; nil before the first search.
  ///
  /// They count only for an agent that was named.
  private var past: Set<[String?]>?

  init(agent: String?, state: AwaitedState, causes: Set<WaitCause>) {
    (self.agent, self.state, self.causes) = (agent, state, causes)
  }

  /// Returns those of the given agents that are in the awaited state, the newest first.
  ///
  /// - Throws: `NotFound` if the end of an unknown agent is awaited; `BadUsage` if the part of an ID
  ///   matches several agents.
  mutating func found(among agents: [Agent]) throws(Failure) -> [Agent] {
    let found = agents.filter {
      state.includes($0.status)
        && (causes.isEmpty || $0.waitingFor.map(causes.contains) ?? false)
    }
    if let agent {
      let id = try IdPart.whole(agent, among: agents.map(\.id), "agent")
      if id == nil, state == .ended {
        throw Failure(.notFound, "there is no agent '\(agent)'", input: agent)
      }
      return found.filter { $0.id == id }
    }
    let past = past ?? (state == .waiting ? [] : Set(found.map(Self.run)))
    self.past = past
    return found.filter { !past.contains(Self.run($0)) }.sorted { $0.beganAt > $1.beganAt }
  }

  private static func run(_ agent: Agent) -> [String?] { [agent.id, agent.sessionId] }
}
