/// The time limit of a request, which messages about the request begin anew, but not without end.
struct RequestLimit: Sendable {
  /// The time that messages may extend a request to, as a multiple of its time limit.
  private static let maximumExtension = 60

  /// The time without a message after which the request ends.
  let time: Duration
  /// The instant at which the time is over.
  private(set) var deadline: ContinuousClock.Instant
  /// The instant beyond which nothing extends the time.
  private let last: ContinuousClock.Instant

  /// Creates a limit that begins now.
  init(_ time: Duration) {
    self.time = time
    deadline = .now + time
    last = .now + time * Self.maximumExtension
  }

  /// Begins the time anew.
  mutating func extend() { deadline = min(.now + time, last) }
}
