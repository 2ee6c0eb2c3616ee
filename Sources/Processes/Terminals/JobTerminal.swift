import Core
public import Foundation

/// Control of the terminal's foreground group, as a shell has it for its jobs.
///
/// The terminal is given to the command's group and later taken back.
public struct JobTerminal {
  /// A descriptor of the session's terminal; -1 if there is no terminal.
  ///
  /// The terminal need not be one of this process's standard streams.
  private let descriptor: Int32
  /// `true` if the terminal was given to the command's group at least once.
  public private(set) var isHandedOver: Bool
  /// The modes of the terminal when this value was created (termios(3)).
  private let modes: termios?

  /// Opens the session's terminal, and reads its foreground group and modes.
  public init() {
    descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    let isInteractive = descriptor >= 0 && isatty(0) == 1 && isatty(1) == 1
    isHandedOver = isInteractive && tcgetpgrp(descriptor) == getpgrp()
    var modes = termios()
    self.modes = descriptor >= 0 && tcgetattr(descriptor, &modes) == 0 ? modes : nil
  }

  /// The terminal to give to the command's group before the command runs; nil if it stays here.
  public var startingTerminal: Int32? { isHandedOver ? descriptor : nil }

  /// `true` if this process has a terminal.
  ///
  /// A shell may then see the process stop as a job.
  public var isThere: Bool { descriptor >= 0 }

  /// `true` if this process's group is the terminal's foreground group.
  public var isOurs: Bool { isThere && tcgetpgrp(descriptor) == getpgrp() }

  /// Makes the given group the terminal's foreground group.
  public mutating func handOver(to group: pid_t) { isHandedOver = set(group) || isHandedOver }

  /// Takes the terminal back if the given group is its foreground group.
  public func reclaim(from group: pid_t) {
    guard isThere, tcgetpgrp(descriptor) == group else { return }
    _ = set(getpgrp())
  }

  /// Takes the terminal back from a command that could not be run.
  public func reclaimAfterFailure() {
    if isHandedOver { _ = set(getpgrp()) }
  }

  /// Restores the terminal's modes to those before the command ran.
  ///
  /// Nothing happens if this process's group is not the foreground group.
  ///
  /// - Parameter undoOutput: A closure that undoes the effects of escape sequences. It is called
  ///   before the modes are restored.
  public func restore(_ undoOutput: () -> Void) {
    guard isOurs || !isThere else { return }
    undoOutput()
    guard var modes else { return }
    var now = termios()
    guard tcgetattr(descriptor, &now) == 0, !Self.areEqual(modes, now) else { return }
    // If the terminal is gone, there is nothing to restore.
    _ = Self.unstopped { tcsetattr(descriptor, TCSANOW, &modes) }
  }

  private static func areEqual(_ one: termios, _ other: termios) -> Bool {
    withUnsafeBytes(of: one.c_cc) { one in
      withUnsafeBytes(of: other.c_cc) { one.elementsEqual($0) }
    } && one.c_iflag == other.c_iflag && one.c_oflag == other.c_oflag
      && one.c_cflag == other.c_cflag && one.c_lflag == other.c_lflag
  }

  private func set(_ group: pid_t) -> Bool {
    Self.unstopped { tcsetpgrp(descriptor, group) } == 0
  }

  /// Runs the given work with SIGTTOU blocked.
  ///
  /// The signal would otherwise stop a background process.
  private static func unstopped(_ work: () -> Int32) -> Int32 {
    var wanted = sigset_t()
    var before = sigset_t()
    sigemptyset(&wanted)
    sigaddset(&wanted, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &wanted, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return work()
  }
}
