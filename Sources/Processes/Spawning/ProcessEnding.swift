/// The way a process ended.
public enum ProcessEnding: Sendable, Hashable {
  /// An exit with a status.
  case status(Int32)
  /// A death by a signal.
  case signal(Int32)

  /// Reads a status from wait(2) of a process that ended.
  public init(waitStatus status: Int32) {
    let number = status & 0x7F
    self = number == 0 ? .status((status >> 8) & 0xFF) : .signal(number)
  }
}

extension ProcessEnding {
  /// The exit status as a shell reports it: 128 plus the signal number for a death by a signal.
  public var status: Int32 {
    switch self {
    case .status(let status): status
    case .signal(let number): 128 + number
    }
  }
}
