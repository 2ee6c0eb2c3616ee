import Synchronization

/// A relay of signals to a tool that handles them itself.
///
/// An example is a tool that forwards signals to a command.
public final class SignalRelay: Sendable {
  private struct State {
    var handler: (@Sendable (Int32) -> Void)?
    /// The signals that are passed to the handler; nil for all.
    var handled: Set<Int32>?
    var farewell: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  init() {}

  /// Starts to handle signals on the signal thread.
  ///
  /// From then on, these signals do not end the process.
  ///
  /// - Parameters:
  ///   - signals: The signals to handle; nil for all. Other signals keep their usual effect.
  ///   - handle: A function that handles the signal with the given number.
  public func listen(
    to signals: Set<Int32>? = nil, _ handle: @escaping @Sendable (Int32) -> Void
  ) {
    state.withLock { state in
      state.handler = handle
      state.handled = signals
    }
  }

  /// Sets work to do if a second signal ends the process at once.
  ///
  /// The work must not block.
  public func beforeSuddenEnd(_ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.farewell = work }
  }

  /// Passes the given signal to the handler.
  ///
  /// - Returns: `true` if the handler receives this signal.
  func deliver(_ number: Int32) -> Bool {
    let handler = state.withLock { state in
      state.handled?.contains(number) ?? true ? state.handler : nil
    }
    guard let handler else { return false }
    handler(number)
    return true
  }

  /// Does the work that ``beforeSuddenEnd(_:)`` set.
  func runFarewell() { state.withLock { $0.farewell }?() }
}
