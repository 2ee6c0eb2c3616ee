import Core
public import Foundation

/// Whose turn it is at the terminal: as a shell with job control gives it to its jobs, so is it given
/// to the command's group and taken back.
public struct JobTerminal {
  /// What the terminal of this session is reached by, whatever the streams are; -1 for none.
  private let descriptor: Int32
  /// Whether the group was given the terminal at some time.
  public private(set) var isGiven: Bool
  /// How the terminal takes what is typed, and shows what is written (termios(3)).
  private let modes: termios?

  /// Looks whose turn it is, and how the terminal is.
  public init() {
    descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    let isAsked = descriptor >= 0 && isatty(0) == 1 && isatty(1) == 1
    isGiven = isAsked && tcgetpgrp(descriptor) == getpgrp()
    var modes = termios()
    self.modes = descriptor >= 0 && tcgetattr(descriptor, &modes) == 0 ? modes : nil
  }

  /// The terminal that the group is given before it runs.
  public var startingTerminal: Int32? { isGiven ? descriptor : nil }

  /// Whether this process has a terminal: a shell then sees this job stop.
  public var isThere: Bool { descriptor >= 0 }

  /// Whether our own group is the one that the terminal listens to.
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

  /// Makes the terminal as it was before the command ran; one that is not ours now is left alone.
  ///
  /// - Parameter tellWriters: Is called first, where the terminal is ours: what was written to it may
  ///   have changed how it looks.
  public func restore(_ tellWriters: () -> Void) {
    guard isOurs || !isThere else { return }
    tellWriters()
    guard var modes else { return }
    var now = termios()
    guard tcgetattr(descriptor, &now) == 0, !Self.areEqual(modes, now) else { return }
    // A terminal that went away takes none.
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

  /// Does what a process in the background is stopped for by SIGTTOU, unless that is blocked.
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
