/// How grave an event is, from the least to the gravest.
public enum EventLevel: String, CaseIterable, Sendable, Comparable {
  case debug, info, warn, error, critical

  private var rank: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .warn: 2
    case .error: 3
    case .critical: 4
    }
  }

  /// Whether the first level is the less grave one.
  public static func < (left: EventLevel, right: EventLevel) -> Bool { left.rank < right.rank }

  /// This level and all above it.
  var andAbove: [EventLevel] { Self.allCases.filter { $0 >= self } }
}
