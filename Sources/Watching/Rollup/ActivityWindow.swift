/// The numbers of events in the last ten minutes, in steps of half a minute.
///
/// The type is small, because one value is stored for each agent.
struct ActivityWindow: Codable, Sendable, Equatable {
  /// The number of the newest step.
  ///
  /// Steps are counted from the start of 1970.
  private var newest: Int64 = 0
  /// The number of events in each step, the oldest first.
  private var counts = [Int](repeating: 0, count: kept)

  /// The length of a step, in milliseconds.
  private static let step: Int64 = 30_000
  /// The number of steps that are stored.
  private static let kept = 20

  /// Adds the given number of events at the given time.
  mutating func add(_ events: Int, at instant: Int64) {
    let number = instant / Self.step
    if number > newest { (counts, newest) = (counts(at: number), number) }
    let place = Int64(Self.kept - 1) - (newest - number)
    guard place >= 0 else { return }
    counts[Int(place)] += events
  }

  /// Returns the number of events in each step of the ten minutes before `now`, the oldest first.
  func series(at now: Int64) -> [Int] { counts(at: now / Self.step) }

  private func counts(at number: Int64) -> [Int] {
    let ahead = Int(max(0, min(number - newest, Int64(Self.kept))))
    return counts.dropFirst(ahead) + Array(repeating: 0, count: ahead)
  }
}
