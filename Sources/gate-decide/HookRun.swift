import CodingAgents
import Command
import Core
import Foundation
import Hooks
import Processes
import Synchronization
import Watching

/// One answer to a hook of an agent.
struct HookRun: Sendable {
  private let options: HookGate
  private let session: Session
  private let output: HookOutput
  /// The end of the wait, by a signal or by the time limit.
  private let interruption = Interruption()
  private let start = ContinuousClock.now
  private let limit: HookLimit

  init(_ options: HookGate, _ session: Session) {
    (self.options, self.session) = (options, session)
    output = HookOutput(options.agent)
    limit = HookLimit()
  }

  /// Reads the message, and prints the answer.
  ///
  /// The exit status is 0, because each agent understands the others differently. Only if the answer
  /// cannot be written it is 2, which blocks the call.
  func run() async {
    session.end(as: .status(0))
    session.interruption.onFire { [interruption, session] in
      interruption.fire(signal: session.interruption.signal ?? SIGTERM)
    }
    session.signals.beforeSuddenEnd { [output] in output.write(.deny("gate-decide: interrupted")) }
    let answer: HookAnswer
    do throws(Failure) {
      answer = try await decided()
    } catch {
      answer = failed(error)
    }
    session.end(as: .status(output.write(answer)))
  }

  private func decided() async throws(Failure) -> HookAnswer {
    // The agent is not known yet, so the shortest limit applies.
    let first = options.timeout?.value ?? (options.agent ?? .gemini).hooks?.deadline ?? 55
    hold(to: first)
    let judge = RequestJudge(session: session, hub: options.hub.hub)
    switch try output.read(try HookOutput.input(interruption)) {
    case .notice: return .none
    case .ended(let calls):
      end(within: 3, .none)
      try await judge.withdraw(calls, interruption)
      return .none
    case .request(let request):
      let agent = AskingAgent(request, environment: session.environment)
      if request.form.event == HookSupport.preToolUse, agent.hasDialog {
        let answer = try judge.rule(on: request)
        // Codex cannot be told to ask.
        guard case .ask = answer, !request.form.hasPrompt else { return answer }
      }
      let seconds = options.timeout?.value ?? request.form.agent.hooks?.deadline ?? 55
      if seconds != first { hold(to: seconds) }
      watch(agent)
      return try await judge.answer(to: request, within: seconds - passed, interruption) ?? late
    }
  }

  /// The answer at the agent's own prompt, if it has one.
  private static let answered = HookAnswer.ask(GateReport.answered)
  /// The answer if nobody decided in time.
  private var late: HookAnswer {
    options.onTimeout == .deny ? .deny(RequestJudge.late) : .ask(RequestJudge.late)
  }

  /// Withdraws the gate as soon as the agent no longer waits for its decision.
  private func watch(_ agent: AskingAgent) {
    Thread.detachNewThread { [self] in
      guard (try? agent.waitForAnswer(interruption)) != nil else { return }
      // The hub may not answer.
      end(within: 3, Self.answered)
      interruption.fire(signal: RequestJudge.answeredSignal)
    }
  }

  /// Ends the process with the given answer after this time, unless it ended before.
  private func end(within seconds: Double, _ answer: HookAnswer) {
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [output] in
      exit(output.write(answer))
    }
  }

  /// The seconds since the start.
  private var passed: Double { (.now - start) / .seconds(1) }

  /// Ends the wait at the given time after the start.
  ///
  /// The gate itself expires at that time. A store or a hub that does not answer ends a second
  /// later, and what cannot be interrupted two seconds after that.
  private func hold(to seconds: Double) {
    limit.set(start + .seconds(seconds + 1)) { [interruption] in interruption.fire(signal: SIGALRM)
    }
    limit.set(start + .seconds(seconds + 3)) { [output, self] in
      exit(output.write(late))
    }
  }

  /// Reports a failure, and returns the answer that `--fail` chooses.
  private func failed(_ failure: Failure) -> HookAnswer {
    if failure.code == .interrupted, interruption.signal == SIGALRM { return late }
    if interruption.signal == RequestJudge.answeredSignal { return Self.answered }
    session.fail(failure)
    return options.fail == .open ? .none : .deny(RequestJudge.reason(failure))
  }
}

/// The times at which a hook gives up; later ones replace earlier ones.
private final class HookLimit: Sendable {
  private let latest = Mutex(ContinuousClock.now)

  /// Does the work at the given time, unless a later time was set more than a few seconds after it.
  func set(_ time: ContinuousClock.Instant, _ work: @escaping @Sendable () -> Void) {
    latest.withLock { $0 = max($0, time) }
    let seconds = (time - .now) / .seconds(1)
    DispatchQueue.global().asyncAfter(deadline: .now() + max(0, seconds)) { [self] in
      if latest.withLock({ $0 }) <= time + .seconds(3) { work() }
    }
  }
}
