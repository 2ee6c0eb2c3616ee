import Core
import Testing

@testable import Agents

@Suite("the time limits of a command")
struct ClockTests {
  private let inbox = Inbox<AgentMessage>()

  private func failure(
    _ clock: inout CommandClock, lastOutput: ContinuousClock.Instant? = nil, isStopped: Bool = false
  ) -> Failure? {
    _ = clock.check(due: clock.due(lastOutput: lastOutput, isStopped: isStopped), inbox)
    return clock.failure
  }

  @Test func `a clock without limits is never due`() {
    let clock = CommandClock(CommandClock.Limits())
    #expect(clock.due(lastOutput: nil, isStopped: false) == nil)
    #expect(clock.due(lastOutput: .now, isStopped: true) == nil)
  }

  @Test func `a command is idle without output, but not while it is stopped`() {
    var clock = CommandClock(CommandClock.Limits(idle: 0))
    #expect(failure(&clock, isStopped: true) == nil)
    #expect(failure(&clock, lastOutput: .now + .seconds(60)) == nil)
    #expect(
      failure(&clock)
        == Failure(.timeout, "the command printed nothing for 0 s and was ended", kind: .idle))
    #expect(clock.due(lastOutput: nil, isStopped: false) == nil, "it ends once")
  }

  @Test func `a command that runs too long ends, also while it is stopped and prints`() {
    var clock = CommandClock(CommandClock.Limits(idle: 60, total: 0))
    #expect(
      failure(&clock, lastOutput: .now, isStopped: true)
        == Failure(.timeout, "the command ran for 0 s and was ended", kind: .total))
  }

  @Test(arguments: [true, false])
  func `an agent that waits for a person is not idle`(isWaiting: Bool) {
    var clock = CommandClock(CommandClock.Limits(idle: 0, isWaiting: { isWaiting }))
    #expect(failure(&clock) == nil && clock.due(lastOutput: nil, isStopped: false) == nil)
    guard case .personIsAsked(isWaiting) = inbox.next(until: .now + .seconds(60)) else {
      Issue.record("nobody was asked")
      return
    }
    // Output and stops in the meantime count.
    func hasFailed(_ lastOutput: ContinuousClock.Instant?, isStopped: Bool) -> Bool {
      var copy = clock
      return copy.answer(isWaiting: false, lastOutput: lastOutput, isStopped: isStopped)
    }
    #expect(!hasFailed(.now + .seconds(60), isStopped: false))
    #expect(!hasFailed(nil, isStopped: true))
    #expect(hasFailed(nil, isStopped: false))
  }
}
