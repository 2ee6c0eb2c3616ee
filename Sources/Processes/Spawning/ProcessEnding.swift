/// The way a process ended.
public enum ProcessEnding: Sendable, Hashable {
  /// An exit with the given status.
  case status(Int32)
  /// A death by the given signal.
  case signal(Int32)

  /// Converts the wait(2) status of a process that has ended.
  public init(waitStatus status: Int32) {
    let number = status & 0x7F
    self = number == 0 ? .status((status >> 8) & 0xFF) : .signal(number)
  }
}

extension ProcessEnding {
  /// The exit status that a shell reports: for a signal, 128 plus its number.
  public var status: Int32 {
    switch self {
    case .status(let status): status
    case .signal(let number): 128 + number
    }
  }
}
