public import Foundation
import Synchronization

/// Tells whoever waits that the process was asked to end.
///
/// A pipe that becomes readable, so that a blocking read can wait for it and for its input at
/// once with poll(2), and a list of actions, such as cancelling a task.
public final class Interruption: Sendable {
  private struct State {
    var signal: Int32?
    var actions: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())
  private let pipe: Pipe

  /// Nobody has asked yet.
  public init() {
    pipe = Pipe()
    // It is no business of a command that is run.
    for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
      _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
  }

  /// Readable once the process was asked to end.
  private var descriptor: Int32 { pipe.fileHandleForReading.fileDescriptor }

  /// Waits until a descriptor can be read without blocking, or its other end is gone (poll(2)).
  ///
  /// - Parameters:
  ///   - descriptor: What to wait for.
  ///   - milliseconds: How long at most; -1 waits on.
  /// - Returns: Whether it can.
  /// - Throws: `Interrupted` when the process is to end.
  public func isReadable(
    _ descriptor: Int32, within milliseconds: Int32 = -1
  ) throws(Failure) -> Bool {
    var wanted = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    try wait(for: &wanted, within: milliseconds)
    return wanted[0].revents != 0
  }

  /// Waits until one of several descriptors is ready (poll(2)).
  ///
  /// - Parameters:
  ///   - descriptors: What to wait for; their `revents` tell what came. One below 0 is left out.
  ///   - milliseconds: How long at most; -1 waits on.
  /// - Throws: `Interrupted` when the process is to end.
  public func wait(
    for descriptors: inout [pollfd], within milliseconds: Int32
  ) throws(Failure) {
    descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    defer { descriptors.removeLast() }
    while poll(&descriptors, nfds_t(descriptors.count), milliseconds) < 0, errno == EINTR {}
    if descriptors[descriptors.count - 1].revents != 0 { throw failure }
  }

  /// The signal that asked for the end.
  public var signal: Int32? { state.withLock { $0.signal } }

  /// Runs an action when the end is asked for, at once if it was already.
  public func onFire(_ action: @escaping @Sendable () -> Void) {
    let isDue = state.withLock { state in
      if state.signal == nil { state.actions.append(action) }
      return state.signal != nil
    }
    if isDue { action() }
  }

  /// Asks for the end; the first signal stays the one told.
  public func fire(signal: Int32) {
    let actions = state.withLock { state in
      guard state.signal == nil else { return [] as [@Sendable () -> Void] }
      state.signal = signal
      defer { state.actions = [] }
      return state.actions
    }
    guard !actions.isEmpty || self.signal == signal else { return }
    var byte: UInt8 = 1
    // A full pipe is readable already, which is all that is wanted.
    _ = write(pipe.fileHandleForWriting.fileDescriptor, &byte, 1)
    for action in actions { action() }
  }

  private static let names = [
    SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP", SIGQUIT: "SIGQUIT",
    SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2", SIGALRM: "SIGALRM", SIGXCPU: "SIGXCPU",
  ]

  /// The failure of work that ended because of it.
  public var failure: Failure {
    let name = signal.map { Self.names[$0] ?? "signal \($0)" } ?? "SIGINT"
    return Failure(.interrupted, "interrupted by \(name)", cause: name)
  }
}
