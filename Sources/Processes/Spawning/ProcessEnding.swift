/// The way a process ended.
public enum ProcessEnding: Sendable, Hashable {
  /// The process exited with the given status.
  case status(Int32)
  /// The given signal ended the process.
  case signal(Int32)

  /// Creates the ending from the wait(2) status of a process that has ended.
  public init(waitStatus status: Int32) {
    let number = status & 0x7F
    self = number == 0 ? .status((status >> 8) & 0xFF) : .signal(number)
  }
}

extension ProcessEnding {
  /// The exit status that a shell reports.
  ///
  /// After a signal, it is 128 plus the signal's number.
  public var status: Int32 {
    switch self {
    case .status(let status): status
    case .signal(let number): 128 + number
    }
  }
}
