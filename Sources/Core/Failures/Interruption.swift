public import Foundation
import Synchronization

/// A request to end the process, which blocking calls and tasks observe.
///
/// An interruption that fires makes its pipe readable, so that poll(2) can wait for it and for
/// input at once, and runs the actions that were added by ``onFire(_:)``.
public final class Interruption: Sendable {
  private struct State {
    var signal: Int32?
    var actions: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())
  private let pipe: Pipe

  /// Creates an interruption that has not fired.
  public init() {
    pipe = Pipe()
    // Child processes must not inherit the pipe.
    for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
      _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
  }

  /// The read end of the pipe.
  ///
  /// It becomes readable once the interruption fires.
  private var descriptor: Int32 { pipe.fileHandleForReading.fileDescriptor }

  /// Waits until the given descriptor can be read without blocking or its other end is closed
  /// (poll(2)).
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor to wait for.
  ///   - milliseconds: The time limit; -1 waits forever.
  /// - Returns: `true` if the descriptor is ready.
  /// - Throws: `Interrupted` if the process was interrupted.
  public func isReadable(
    _ descriptor: Int32, within milliseconds: Int32 = -1
  ) throws(Failure) -> Bool {
    var wanted = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    try wait(for: &wanted, within: milliseconds)
    return wanted[0].revents != 0
  }

  /// Waits until one of the given descriptors is ready (poll(2)).
  ///
  /// - Parameters:
  ///   - descriptors: The descriptors; their `revents` hold the results. Numbers below 0 are
  ///     ignored.
  ///   - milliseconds: The time limit; -1 waits forever.
  /// - Throws: `Interrupted` if the process was interrupted.
  public func wait(
    for descriptors: inout [pollfd], within milliseconds: Int32
  ) throws(Failure) {
    descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    defer { descriptors.removeLast() }
    while poll(&descriptors, nfds_t(descriptors.count), milliseconds) < 0, errno == EINTR {}
    if descriptors[descriptors.count - 1].revents != 0 { throw failure }
  }

  /// The signal that fired the interruption; nil if none has.
  public var signal: Int32? { state.withLock { $0.signal } }

  /// Runs the given action when the interruption fires, or at once if it already has fired.
  public func onFire(_ action: @escaping @Sendable () -> Void) {
    let isDue = state.withLock { state in
      if state.signal == nil { state.actions.append(action) }
      return state.signal != nil
    }
    if isDue { action() }
  }

  /// Fires the interruption; later calls do not change ``signal``.
  public func fire(signal: Int32) {
    let actions = state.withLock { state in
      guard state.signal == nil else { return [] as [@Sendable () -> Void] }
      state.signal = signal
      defer { state.actions = [] }
      return state.actions
    }
    guard !actions.isEmpty || self.signal == signal else { return }
    var byte: UInt8 = 1
    // A full pipe is readable already, so a failed write needs no handling.
    _ = write(pipe.fileHandleForWriting.fileDescriptor, &byte, 1)
    for action in actions { action() }
  }

  private static let names = [
    SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP", SIGQUIT: "SIGQUIT",
    SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2", SIGALRM: "SIGALRM", SIGXCPU: "SIGXCPU",
  ]

  /// The failure that work throws if the interruption ended it.
  public var failure: Failure {
    let name = signal.map { Self.names[$0] ?? "signal \($0)" } ?? "SIGINT"
    return Failure(.interrupted, "interrupted by \(name)", cause: name)
  }
}
