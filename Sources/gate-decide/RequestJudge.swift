import Command
import Core
import Foundation
import Hooks
import HubClient
import HubQuestions
import Keys
import Watching

/// The decision on the requests of an agent: by the rules of the configuration, else at a gate.
struct RequestJudge: Sendable {
  let session: Session
  /// The hub of the gates; nil for the usual one.
  let hub: String?

  /// Decides a request.
  ///
  /// Without a gate, neither the store nor a hub is used.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - seconds: The time limit.
  ///   - interruption: The interruption that withdraws the gate.
  /// - Returns: The decision; nil if nobody decided in time.
  /// - Throws: `BadConfiguration` if the configuration is invalid; `Interrupted`; `Conflict`; the
  ///   errors of the store and the hub.
  func answer(
    to request: HookRequest, within seconds: Double, _ interruption: Interruption
  ) async throws(Failure) -> HookAnswer? {
    let end = ContinuousClock.now + .seconds(seconds)
    var doubt: String?
    switch try HookRules(try session.configuration().hook).verdict(on: request) {
    case .allow(let rule): return .allow("allowed by the rule '\(rule)'")
    case .deny(let rule): return .deny("denied by the rule '\(rule)'")
    case .caution(let rule): doubt = "the rule '\(rule)' may concern the call"
    case .ask: break
    }
    let risk = doubt
    let place = try Place(hub, RequestSurroundings(session, interruption))
    return try await place.steer { (steerer) throws(Failure) in
      try Self.answer(to: request, risk, until: end, interruption, steerer)
    }
  }

  /// Decides a request of an agent that asks at its own terminal what no rule decides.
  ///
  /// - Returns: The decision of the rules; a question if a rule requires one.
  /// - Throws: `BadConfiguration` if the configuration is invalid.
  func rule(on request: HookRequest) throws(Failure) -> HookAnswer {
    let rules = try HookRules(try session.configuration().hook)
    switch rules.verdict(on: request) {
    case .allow(let rule): return .allow("allowed by the rule '\(rule)'")
    case .deny(let rule): return .deny("denied by the rule '\(rule)'")
    case .caution, .ask:
      return rules.question(on: request).map { .ask("the rule '\($0)' asks a person") } ?? .none
    }
  }

  /// Withdraws the open gates of the given calls.
  ///
  /// - Throws: The errors of the store and the hub.
  func withdraw(_ calls: EndedCalls, _ interruption: Interruption) async throws(Failure) {
    let place = try Place(hub, RequestSurroundings(session, interruption))
    try await place.steer { (steerer) throws(Failure) in
      for gate in calls.gates(among: try steerer.gates(withDecided: false)) {
        try steerer.withdraw(gate.gateId, because: GateReport.answered)
      }
    }
  }

  /// Returns the reason of a denial because of the given failure.
  static func reason(_ failure: Failure) -> String {
    let place = failure.code == .badConfiguration ? failure.input.map { "\($0): " } : nil
    return "gate-decide: " + Secrets.shown((place ?? "") + failure.sentence)
  }

  /// The signal that stands for an answer at the agent; nobody reads that of the hook.
  static let answeredSignal = SIGPIPE
  /// The reason of an answer after the time limit.
  static let late = "nobody decided in time"
  /// The number of gates that one request may have.
  private static let most = 100

  /// Asks at a gate, and again if the gate is closed early without a decision.
  ///
  /// The gate shows the given risk, which is the reason why no rule decides.
  ///
  /// - Returns: The decision; nil if nobody decided in time.
  private static func answer(
    to request: HookRequest, _ risk: String?, until end: ContinuousClock.Instant,
    _ interruption: Interruption, _ steerer: any Steerer
  ) throws(Failure) -> HookAnswer? {
    var question = GateQuestion(request.summary, by: LoginName.current)
    question.context = request.context
    question.context.risk = risk
    question.agentId = request.agentId
    let usual = question.withdrawal
    question.withdrawal = {
      interruption.signal == Self.answeredSignal ? GateReport.answered : usual()
    }
    for attempt in 0..<most {
      let left = (end - .now) / .seconds(1)
      // A gate of a moment cannot be decided, and expired with its request.
      guard left > 0.2 || attempt == 0 else { return nil }
      question.gateId = request.gateId(attempt: attempt, risk: risk)
      question.timeout = max(left, 0.001)
      var wasOpen = false
      let report = try steerer.decision(on: question) { wasOpen = wasOpen || $0.status == .pending }
      if wasOpen, report.wasAnswered { return .ask(GateReport.answered) }
      guard report.isUndecided else { return answer(report) }
    }
    throw Failure(.conflict, "the request has \(most) gates that nobody decided")
  }

  /// Returns the answer that the given decided gate gives.
  private static func answer(_ report: GateReport) -> HookAnswer {
    let actor = report.winner?.actor ?? "somebody"
    guard report.gate.status != .approved else { return .allow("approved by \(actor)") }
    return .deny("\(actor) said no" + (report.winner?.reason.map { ": \($0)" } ?? ""))
  }
}

/// The surroundings of one request, which has an end of its own.
private struct RequestSurroundings: Surroundings {
  let session: Session
  let interruption: Interruption

  init(_ session: Session, _ interruption: Interruption) {
    (self.session, self.interruption) = (session, interruption)
  }

  var environment: [String: String] { session.environment }
  var directories: Directories { session.directories }
  func configuration() throws(Failure) -> Settings { try session.configuration() }
  func keys(_ configuration: Settings) -> KeyStore { session.keys(configuration) }
  func report(_ notice: Notice) { session.report(notice) }
}
