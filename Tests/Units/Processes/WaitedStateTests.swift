import Core
import Foundation
import Processes
import Testing

struct WaitedStateTests {
  @Test func `a value that is there is taken at once`() throws {
    let state = try WaitedState([1, 2])
    let taken = try state.wait(within: 0, Interruption()) { state -> Int? in state.popLast() }
    #expect(taken == 2)
    #expect(state.withLock { $0 } == [1])
  }

  @Test func `without a value the wait ends in time`() throws {
    let state = try WaitedState(0)
    #expect(try state.wait(within: 5, Interruption()) { $0 > 0 ? $0 : nil } == nil)
  }

  @Test func `a change wakes the waiting thread, each time`() throws {
    let state = try WaitedState(0)
    for turn in 1...3 {
      Thread.detachNewThread { state.change { $0 = turn } }
      #expect(try state.wait(within: -1, Interruption()) { $0 == turn ? $0 : nil } == turn)
    }
  }

  @Test func `an interruption ends the wait`() throws {
    let state = try WaitedState(0)
    let interruption = Interruption()
    Thread.detachNewThread { interruption.fire(signal: 15) }
    let failure = #expect(throws: Failure.self) {
      try state.wait(within: -1, interruption) { $0 > 0 ? $0 : nil }
    }
    #expect(failure?.code == .interrupted)
  }
}
