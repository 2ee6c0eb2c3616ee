import Core
import Synchronization
import TestSupport
import Testing

@testable import Fetching

/// The schedule's decisions, at instants that the tests make up.
struct ScheduleStateTests {
  private let start = ContinuousClock.now

  private func state(_ parallel: Int, perHost: Int = 1, delay: Double = 0) -> ScheduleState {
    ScheduleState(HostSchedule.Limits(parallel: parallel, perHost: perHost, delay: delay))
  }

  private func wait(_ state: inout ScheduleState, _ host: String, _ number: Int) {
    let isWaiting = state.wait(
      host, ScheduleState.Waiter(ticket: UInt64(number), number: number, resume: { _ in }))
    #expect(isWaiting)
  }

  private func admitted(_ state: inout ScheduleState, after seconds: Double = 0) -> [Int] {
    state.admit(at: start + .seconds(seconds)).admitted.map(\.number)
  }

  @Test func `hosts take turns and none gets more than its share`() {
    var state = state(10, perHost: 2)
    for number in 1...4 { wait(&state, "a", number) }
    for number in 5...6 { wait(&state, "b", number) }
    #expect(admitted(&state) == [1, 5, 2, 6])
    state.leave("a")
    #expect(admitted(&state) == [3])
    #expect(admitted(&state) == [])
  }

  @Test func `no more come in than there are places`() {
    var state = state(2)
    for number in 1...3 { wait(&state, "host \(number)", number) }
    #expect(admitted(&state) == [1, 2])
    state.leave("host 1")
    #expect(admitted(&state) == [])
    state.running -= 1
    #expect(admitted(&state) == [3])
  }

  @Test func `a pause lies between two requests to a host, and an alarm ends it`() {
    var state = state(10, perHost: 5, delay: 0.2)
    for number in 1...3 { wait(&state, "a", number) }
    let (first, alarm) = state.admit(at: start)
    #expect(first.map(\.number) == [1])
    #expect(alarm == start + .seconds(0.2))
    #expect(admitted(&state, after: 0.1) == [])
    state.alarm = nil
    #expect(admitted(&state, after: 0.2) == [2])
    #expect(admitted(&state, after: 0.3) == [])
    #expect(admitted(&state, after: 0.4) == [3])
  }

  @Test func `a host that is slowed holds no other up`() {
    var state = state(2)
    state.hold("slow", until: start + .seconds(60))
    for number in 1...5 { wait(&state, "slow", number) }
    wait(&state, "quick", 6)
    #expect(admitted(&state) == [6])
    #expect(admitted(&state, after: 59) == [])
    #expect(admitted(&state, after: 60) == [1])
  }

  @Test func `a longer wait replaces a shorter one, never the other way`() {
    var state = state(2)
    wait(&state, "a", 1)
    state.hold("a", until: start + .seconds(5))
    #expect(admitted(&state) == [])
    state.hold("a", until: start + .seconds(9))
    state.hold("a", until: start + .seconds(1))
    #expect(admitted(&state, after: 6) == [])
    #expect(admitted(&state, after: 9) == [1])
  }

  @Test func `the earlier job of a host goes first, whenever it came`() {
    var state = state(1)
    for number in [3, 1, 2] { wait(&state, "a", number) }
    #expect(admitted(&state) == [1])
  }

  @Test func `a request that was withdrawn does not come in`() {
    var state = state(1)
    wait(&state, "a", 1)
    let withdrawn = state.withdraw("a", 1)
    #expect(withdrawn?.number == 1)
    #expect(admitted(&state) == [])
    let unknown = state.withdraw("a", 2)
    #expect(unknown == nil)
    let isWaiting = state.wait(
      "a", ScheduleState.Waiter(ticket: 2, number: 2, resume: { _ in }))
    #expect(!isWaiting)
  }

  @Test func `after three pages that nothing helped a host is asked once`() {
    var state = state(1)
    for _ in 1...2 { state.remember("a", isAnswered: false) }
    #expect(state.mayRetry("a"))
    state.remember("a", isAnswered: false)
    #expect(!state.mayRetry("a") && state.mayRetry("b"))
    state.remember("a", isAnswered: true)
    #expect(state.mayRetry("a"))
  }

  @Test(arguments: 0..<20)
  func `whatever happens, limits hold and everyone comes in`(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let limits = HostSchedule.Limits(
      parallel: .random(in: 1...5, using: &random), perHost: .random(in: 1...3, using: &random),
      delay: [0, 0.1].randomElement(using: &random) ?? 0)
    var state = ScheduleState(limits)
    var hosts: [Int: String] = [:]
    var running: [String: Int] = [:]
    var last: [String: ContinuousClock.Instant] = [:]
    var now = start
    var came = 0
    var number = 0
    while came < 200 {
      if number < 200, Bool.random(using: &random) {
        let host = "host \(Int.random(in: 0..<4, using: &random))"
        hosts[number] = host
        wait(&state, host, number)
        number += 1
      }
      if Int.random(in: 0..<20, using: &random) == 0 {
        state.hold("host 0", until: now + .seconds(0.5))
      }
      for waiter in state.admit(at: now).admitted {
        came += 1
        let host = hosts[waiter.number] ?? ""
        running[host, default: 0] += 1
        if limits.delay > 0, let last = last[host] { #expect(now - last >= .seconds(0.1)) }
        last[host] = now
      }
      #expect(running.values.reduce(0, +) <= limits.parallel)
      #expect(running.values.allSatisfy { $0 <= limits.perHost })
      if let host = running.filter({ $0.value > 0 }).keys.sorted().randomElement(using: &random),
        Bool.random(using: &random)
      {
        running[host, default: 0] -= 1
        state.leave(host)
        state.running -= 1
      }
      now += .milliseconds(Int.random(in: 0..<50, using: &random))
    }
  }
}

struct HostScheduleTests {
  @Test func `whoever is cancelled while waiting is told`() async {
    let schedule = HostSchedule(HostSchedule.Limits(parallel: 1, perHost: 1, delay: 0))
    schedule.hold("a", seconds: 3600)
    let task = Task { () -> FailureCode? in
      do throws(Failure) {
        try await schedule.enter("a")
        return nil
      } catch {
        return error.code
      }
    }
    task.cancel()
    #expect(await task.value == .interrupted)
  }

  @Test func `a pause ends by itself`() async throws {
    let schedule = HostSchedule(HostSchedule.Limits(parallel: 2, perHost: 2, delay: 0.01))
    for _ in 0..<3 {
      try await schedule.enter("a")
      schedule.leave("a")
      schedule.release()
    }
  }
}
