/// The numbers of events and errors in the last ten minutes, in steps of ten seconds.
///
/// An event counts at the time at which it happened, even if it arrives late.
struct RateWindow: Codable, Sendable, Equatable {
  /// One step: its number, counted from the start of 1970, and its counts.
  struct Step: Codable, Sendable, Equatable {
    var number: Int64
    var events: Int
    var errors: Int
  }

  private(set) var steps: [Step] = []

  /// The length of a step, in milliseconds.
  static let step: Int64 = 10_000
  /// The number of steps that are stored.
  ///
  /// They cover ten minutes.
  private static let kept: Int64 = 60

  /// Adds the given numbers of events and errors at the given time.
  mutating func add(_ events: Int, errors: Int, at: Int64) {
    let number = at / Self.step
    let newest = max(number, steps.last?.number ?? number)
    guard number > newest - Self.kept else { return }
    let index = steps.lastIndex { $0.number <= number }
    if let index, steps[index].number == number {
      steps[index].events += events
      steps[index].errors += errors
    } else {
      steps.insert(
        Step(number: number, events: events, errors: errors), at: index.map { $0 + 1 } ?? 0)
    }
    if let first = steps.first, first.number <= newest - Self.kept {
      steps.removeAll { $0.number <= newest - Self.kept }
    }
  }

  /// Returns the counts in the given number of seconds before `now`.
  func counts(seconds: Int64, at now: Int64) -> (events: Int, errors: Int) {
    let first = (now - seconds * 1000) / Self.step
    return steps.filter { $0.number > first && $0.number <= now / Self.step }
      .reduce((0, 0)) { ($0.0 + $1.events, $0.1 + $1.errors) }
  }

  /// Returns the fraction of the events in the last five minutes that are errors.
  func errorRate(at now: Int64) -> Double {
    let (events, errors) = counts(seconds: 300, at: now)
    return events == 0 ? 0 : Double(errors) / Double(events)
  }

  /// Returns the number of events per second over the last minute.
  func throughput(at now: Int64) -> Double { Double(counts(seconds: 60, at: now).events) / 60 }

  /// Returns the number of events in each step of the last ten minutes, the oldest first.
  func series(at now: Int64) -> [Int] {
    let last = now / Self.step
    var series = [Int](repeating: 0, count: Int(Self.kept))
    for step in steps where step.number > last - Self.kept && step.number <= last {
      series[Int(step.number - (last - Self.kept) - 1)] = step.events
    }
    return series
  }
}
