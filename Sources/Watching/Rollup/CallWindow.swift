import Core
import Foundation

/// The calls that ended in the last day, with their failures and latencies.
struct CallWindow: Codable, Sendable, Equatable {
  /// The calls in one minute or in one hour.
  struct Step: Codable, Sendable, Equatable {
    var number: Int64
    var calls = 0
    var failures = 0
    /// The number of calls in each latency class; see ``CallWindow/index(of:)``.
    var latencies: [Int: Int] = [:]
  }

  private var minutes: [Step] = []
  private var hours: [Step] = []

  private static let minute: Int64 = 60_000
  private static let hour: Int64 = 3_600_000

  /// Adds a call that ended at the given time.
  mutating func add(failed: Bool, milliseconds: Double?, at: Int64) {
    Self.add(failed: failed, milliseconds, to: &minutes, at: at / Self.minute, kept: 60)
    Self.add(failed: failed, milliseconds, to: &hours, at: at / Self.hour, kept: 25)
  }

  /// Adds the latency of a call that was already counted.
  mutating func addLatency(_ milliseconds: Double, at: Int64) {
    Self.change(at / Self.minute, kept: 60, &minutes) { Self.add(milliseconds, &$0) }
    Self.change(at / Self.hour, kept: 25, &hours) { Self.add(milliseconds, &$0) }
  }

  /// Returns the sum over the given number of minutes before `now`.
  ///
  /// At most 60 are possible.
  func sum(minutes count: Int64, at now: Int64) -> Step {
    Self.sum(minutes, after: now / Self.minute - count, to: now / Self.minute)
  }

  /// Returns the sum over the last 24 hours before `now`.
  func day(at now: Int64) -> Step {
    Self.sum(hours, after: now / Self.hour - 24, to: now / Self.hour)
  }

  /// Returns the numbers of calls and failures in each of the last 60 minutes, the oldest first.
  func lastMinutes(at now: Int64) -> CallSeries {
    Self.series(minutes, 60, to: now / Self.minute)
  }

  /// Returns the numbers of calls and failures in each of the last 24 hours, the oldest first.
  func lastHours(at now: Int64) -> CallSeries { Self.series(hours, 24, to: now / Self.hour) }

  private static func series(_ steps: [Step], _ count: Int64, to last: Int64) -> CallSeries {
    let known = Dictionary(steps.map { ($0.number, $0) }) { $1 }
    let shown = ((last - count + 1)...last).map { known[$0] }
    return CallSeries(
      calls: shown.map { $0?.calls ?? 0 }, failures: shown.map { $0?.failures ?? 0 })
  }

  private static func sum(_ steps: [Step], after first: Int64, to last: Int64) -> Step {
    steps.filter { $0.number > first && $0.number <= last }.reduce(into: Step(number: last)) {
      $0.calls += $1.calls
      $0.failures += $1.failures
      $0.latencies.merge($1.latencies) { $0 + $1 }
    }
  }

  private static func add(
    failed: Bool, _ milliseconds: Double?, to steps: inout [Step], at number: Int64, kept: Int64
  ) {
    change(number, kept: kept, &steps) { step in
      step.calls += 1
      if failed { step.failures += 1 }
      if let milliseconds { add(milliseconds, &step) }
    }
  }

  private static func add(_ milliseconds: Double, _ step: inout Step) {
    step.latencies[index(of: milliseconds), default: 0] += 1
  }

  private static func change(
    _ number: Int64, kept: Int64, _ steps: inout [Step], _ change: (inout Step) -> Void
  ) {
    let newest = max(number, steps.last?.number ?? number)
    guard number > newest - kept else { return }
    let index = steps.lastIndex { $0.number <= number }
    if let index, steps[index].number == number {
      change(&steps[index])
    } else {
      var step = Step(number: number)
      change(&step)
      steps.insert(step, at: index.map { $0 + 1 } ?? 0)
    }
    steps.removeAll { $0.number <= newest - kept }
  }

  /// Returns the latency class of the given number of milliseconds.
  ///
  /// Each factor of ten has a hundred classes, so that a class is 2.3 % wide.
  private static func index(of milliseconds: Double) -> Int {
    milliseconds < 0.01 ? 0 : Int((log10(min(milliseconds, 1e12)) * 100).rounded(.up)) + 201
  }

  fileprivate static func upperBound(of index: Int) -> Double {
    index == 0 ? 0.01 : pow(10, Double(index - 201) / 100)
  }
}

extension CallWindow.Step {
  /// The fraction of calls that failed; nil if there were no calls.
  var errorRate: Double? { calls == 0 ? nil : Double(failures) / Double(calls) }

  /// The number of calls in each latency class, the shortest latency first.
  ///
  /// A class is given by its upper bound in milliseconds.
  var byLatency: [CallLatency] {
    latencies.sorted { $0.key < $1.key }.map {
      CallLatency(milliseconds: CallWindow.upperBound(of: $0.key), calls: $0.value)
    }
  }

  /// Returns the given quantile of the latencies, in milliseconds.
  func latency(quantile: Double) -> Double? {
    let count = latencies.values.reduce(0, +)
    guard count > 0 else { return nil }
    var left = Int((Double(count) * quantile).rounded(.up))
    for (index, number) in latencies.sorted(by: { $0.key < $1.key }) {
      left -= number
      guard left > 0 else {
        let bound = CallWindow.upperBound(of: index)
        return bound < 10 ? (bound * 100).rounded() / 100 : bound.rounded()
      }
    }
    return nil
  }
}
