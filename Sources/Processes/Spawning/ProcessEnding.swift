/// How a process ended.
public enum ProcessEnding: Sendable, Hashable {
  /// By itself, with an exit status.
  case status(Int32)
  /// By a signal.
  case signal(Int32)

  /// Reads what wait(2) tells of a process that ended.
  public init(waitStatus status: Int32) {
    let number = status & 0x7F
    self = number == 0 ? .status((status >> 8) & 0xFF) : .signal(number)
  }
}

extension ProcessEnding {
  /// The exit status as a shell tells it: 128 and the signal's number for one that ended by a signal.
  public var status: Int32 {
    switch self {
    case .status(let status): status
    case .signal(let number): 128 + number
    }
  }
}
