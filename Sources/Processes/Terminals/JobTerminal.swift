import Core
public import Foundation

/// The terminal's foreground: it is given to the command's group and taken back, as a shell with
/// job control does for its jobs.
public struct JobTerminal {
  /// A descriptor of this session's terminal, independent of the streams; -1 if there is none.
  private let descriptor: Int32
  /// `true` if the group was given the terminal at some time.
  public private(set) var isGiven: Bool
  /// The terminal's modes at the start (termios(3)).
  private let modes: termios?

  /// Reads the terminal's foreground group and its modes.
  public init() {
    descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    let isAsked = descriptor >= 0 && isatty(0) == 1 && isatty(1) == 1
    isGiven = isAsked && tcgetpgrp(descriptor) == getpgrp()
    var modes = termios()
    self.modes = descriptor >= 0 && tcgetattr(descriptor, &modes) == 0 ? modes : nil
  }

  /// The terminal that the group gets before it runs.
  public var startingTerminal: Int32? { isGiven ? descriptor : nil }

  /// `true` if this process has a terminal; a shell then sees this job stop.
  public var isThere: Bool { descriptor >= 0 }

  /// `true` if our own group is in the terminal's foreground.
  public var isOurs: Bool { isThere && tcgetpgrp(descriptor) == getpgrp() }

  /// Gives the terminal to the group.
  public mutating func give(to group: pid_t) { isGiven = set(group) || isGiven }

  /// Takes the terminal back, if the group has it.
  public func takeBack(from group: pid_t) {
    guard isThere, tcgetpgrp(descriptor) == group else { return }
    _ = set(getpgrp())
  }

  /// Takes the terminal back from a process that may have got it and could not be run.
  public func takeBackAfterFailure() {
    if isGiven { _ = set(getpgrp()) }
  }

  /// Restores the terminal's modes from before the command ran, if the terminal is ours.
  ///
  /// - Parameter tellWriters: A closure that is called first if the terminal is ours, to undo
  ///   changes that were made by escape sequences.
  public func restore(_ tellWriters: () -> Void) {
    guard isOurs || !isThere else { return }
    tellWriters()
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

  /// Runs a call for which SIGTTOU would stop a background process, with that signal blocked.
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
