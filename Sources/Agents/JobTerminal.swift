import Core
import Foundation

/// Whose turn it is at the terminal: as a shell with job control gives it to its jobs, so is it given
/// to the command's group and taken back.
struct JobTerminal {
  /// The descriptor that the terminal is reached by.
  private static let descriptor: Int32 = 0

  /// Whether standard input is the terminal of this session: a shell then sees this job stop.
  let isThere: Bool
  /// Whether the group was given the terminal at some time.
  private(set) var isGiven: Bool

  init() {
    let owner = isatty(Self.descriptor) == 1 ? tcgetpgrp(Self.descriptor) : -1
    isThere = owner > 0
    isGiven = isThere && isatty(1) == 1 && owner == getpgrp()
  }

  /// The terminal that the group is given before it runs.
  var startingTerminal: Int32? { isGiven ? Self.descriptor : nil }

  /// Whether our own group is the one that the terminal listens to.
  var isOurs: Bool { isThere && tcgetpgrp(Self.descriptor) == getpgrp() }

  /// Gives the terminal to the group.
  mutating func give(to group: pid_t) { isGiven = Self.set(group) || isGiven }

  /// Takes the terminal back, if the group has it.
  func takeBack(from group: pid_t) {
    guard isThere, tcgetpgrp(Self.descriptor) == group else { return }
    _ = Self.set(getpgrp())
  }

  /// Takes the terminal back from a process that may have got it and could not be run.
  func takeBackAfterFailure() {
    if isGiven { _ = Self.set(getpgrp()) }
  }

  private static func set(_ group: pid_t) -> Bool {
    // Who is in the background is stopped for this by SIGTTOU, unless it is blocked.
    var wanted = sigset_t()
    var before = sigset_t()
    sigemptyset(&wanted)
    sigaddset(&wanted, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &wanted, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return tcsetpgrp(descriptor, group) == 0
  }
}
