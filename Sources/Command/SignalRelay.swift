import Synchronization

/// Hands the signals of the process to a tool that takes them itself, such as one that passes them
/// on to a command.
public final class SignalRelay: Sendable {
  private let handler = Mutex<(@Sendable (Int32) -> Void)?>(nil)

  init() {}

  /// Takes every signal from now on, on a thread of the signals' own; none of them ends the process.
  public func listen(_ handle: @escaping @Sendable (Int32) -> Void) {
    handler.withLock { $0 = handle }
  }

  /// Hands a signal over.
  ///
  /// - Returns: Whether somebody listens.
  func take(_ number: Int32) -> Bool {
    guard let handler = handler.withLock({ $0 }) else { return false }
    handler(number)
    return true
  }
}
