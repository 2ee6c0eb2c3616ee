import Synchronization

/// Hands the signals of the process to a tool that takes them itself, such as one that passes them
/// on to a command.
public final class SignalRelay: Sendable {
  private struct State {
    var handler: (@Sendable (Int32) -> Void)?
    /// Those that it takes; nil for all.
    var taken: Set<Int32>?
    var farewell: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  init() {}

  /// Takes signals from now on, on a thread of the signals' own; none of them ends the process.
  ///
  /// - Parameters:
  ///   - signals: Those that are taken, all by default; the others do what they usually do.
  ///   - handle: Takes them.
  public func listen(
    to signals: Set<Int32>? = nil, _ handle: @escaping @Sendable (Int32) -> Void
  ) {
    state.withLock { state in
      state.handler = handle
      state.taken = signals
    }
  }

  /// Says what is still to be done when a second signal ends the process at once; it must not wait.
  public func beforeSuddenEnd(_ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.farewell = work }
  }

  /// Hands a signal over.
  ///
  /// - Returns: Whether somebody listens to it.
  func hand(_ number: Int32) -> Bool {
    let handler = state.withLock { state in
      state.taken?.contains(number) ?? true ? state.handler : nil
    }
    guard let handler else { return false }
    handler(number)
    return true
  }

  /// Does what is to be done before a sudden end.
  func sayFarewell() { state.withLock { $0.farewell }?() }
}
