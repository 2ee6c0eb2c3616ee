import CodingAgents
import Core
import Events
import Foundation
import Processes

/// Pauses of sessions, which count only if the process stays stopped.
extension Adopter {
  /// A pause whose process was stopped a moment ago.
  struct Pause {
    var control: PendingControl
    var key: SessionKey
    var identity: ProcessIdentity
    var isInteractive: Bool
    /// The time at which a process that has not stopped counts as running.
    var limit: ContinuousClock.Instant
    /// The time at which a process that has stayed stopped counts as paused; nil while it has not
    /// stopped.
    var due: ContinuousClock.Instant?
  }

  /// The time that a process has to stop or to continue, in milliseconds.
  private static let longestStop = 500
  /// The time for which a process must stay stopped.
  ///
  /// tmux(1) continues the programs of its panes as soon as they stop.
  private static let stay = Duration.milliseconds(200)

  /// The step that brings a session that was stopped back to its terminal.
  ///
  /// Its shell has set the terminal's modes, and the program does not set them again.
  private static let continuation =
    "enter 'stty -icanon -echo -isig -icrnl; fg' in its terminal"

  /// `true` while the outcome of a control is due soon.
  var isSettling: Bool { !terminations.isEmpty || !pauses.isEmpty }

  /// Stops the given process, and looks at it again a moment later.
  func pause(
    _ control: PendingControl, _ session: AdoptedSession, _ identity: ProcessIdentity,
    inTerminal isInteractive: Bool
  ) {
    guard send(SIGSTOP, identity, of: session.key) == .sent else {
      return answer(control, .refused, "its process has ended")
    }
    pauses.append(
      Pause(
        control: control, key: session.key, identity: identity, isInteractive: isInteractive,
        limit: .now + .milliseconds(Self.longestStop)))
  }

  /// Reports the outcomes of pauses that are due.
  func settlePauses() {
    let now = ContinuousClock.now
    for (index, pause) in pauses.enumerated().reversed() {
      guard let entry = living(pause.identity), let session = sessions[pause.key] else {
        pauses.remove(at: index)
        answer(pause.control, .refused, "its process has ended")
        continue
      }
      let isHeld = finder.table.isHeld(entry)
      if isHeld, pause.due == nil {
        pauses[index].due = now + Self.stay
      } else if isHeld, let due = pause.due, due <= now {
        pauses.remove(at: index)
        settle(pause, session, isFrozen: false)
      } else if !isHeld, pause.due != nil || pause.limit <= now {
        pauses.remove(at: index)
        if freeze(pause.identity, session) {
          settle(pause, session, isFrozen: true)
        } else {
          // It must not stop after the refusal.
          _ = send(SIGCONT, pause.identity, of: pause.key)
          answer(pause.control, .refused, refusal(entry))
        }
      }
    }
  }

  /// Reports the outcomes of the pauses of the given session, because another control follows.
  func settlePauses(of key: SessionKey) {
    for pause in pauses where pause.key == key {
      if let session = sessions[key], living(pause.identity).map(finder.table.isHeld) ?? false {
        settle(pause, session, isFrozen: false)
      } else {
        answer(pause.control, .refused, "another control followed")
      }
    }
    pauses.removeAll { $0.key == key }
  }

  private func settle(_ pause: Pause, _ session: AdoptedSession, isFrozen: Bool) {
    set(.paused, session)
    let note =
      "'\(session.agentId)' is an interactive session: after a resume, \(Self.continuation)"
    answer(pause.control, .applied, pause.isInteractive && !isFrozen ? note : nil)
  }

  /// The reason why the process of the given entry cannot be paused, and a way that works.
  private func refusal(_ entry: ProcessEntry) -> String {
    let parent = finder.table.entry(entry.parent).map { "'\(Visible.line($0.name))'" }
    return (parent ?? "another process") + " continues it at once: start it from a shell in its "
      + "pane, or in a control group of its own ('systemd-run --user --scope')"
  }

  /// Continues the given process.
  func go(
    _ control: PendingControl, _ session: AdoptedSession, _ identity: ProcessIdentity,
    inTerminal isInteractive: Bool
  ) {
    let wasFrozen = thaw(identity)
    guard send(SIGCONT, identity, of: session.key) == .sent else {
      return answer(control, .refused, "its process has ended")
    }
    // Its shell may have the terminal, which stops it again.
    _ = awaits { living(identity).map { !finder.table.isHeld($0) } ?? true }
    set(processes[session.key]?.status ?? .running, session)
    answer(
      control, .applied,
      isInteractive && !wasFrozen
        ? "'\(session.agentId)' is an interactive session: \(Self.continuation)" : nil)
  }

  private func living(_ identity: ProcessIdentity) -> ProcessEntry? {
    finder.table.entry(identity.id).flatMap {
      $0.identity == identity && !$0.hasEnded ? $0 : nil
    }
  }

  /// Waits until the given condition is met; returns `false` if it is not.
  private func awaits(_ isMet: () -> Bool) -> Bool {
    for _ in 0..<Self.longestStop / 5 {
      if isMet() { return true }
      usleep(5000)
    }
    return false
  }

  // MARK: Control groups

  /// Freezes the control group of the given process, if it is this user's and contains nothing but
  /// the process and what it started.
  private func freeze(_ identity: ProcessIdentity, _ session: AdoptedSession) -> Bool {
    let table = finder.table
    guard let group = table.group(of: identity.id), group.isOwn, let members = group.members,
      members.contains(identity.id), !members.contains(getpid()),
      members.allSatisfy({ isPart($0, of: identity.id) }),
      finder.confirms(identity, of: ProcessFinder.Sought(session)), group.set(frozen: true)
    else { return false }
    if awaits({ group.isFrozen }), living(identity) != nil, table.group(of: identity.id) == group {
      return true
    }
    group.set(frozen: false)
    return false
  }

  /// Returns `true` if the first process is the second, or was started by it.
  private func isPart(_ id: Int32, of root: Int32) -> Bool {
    var next = id
    for _ in 0..<64 where next > 1 {
      if next == root { return true }
      guard let entry = finder.table.entry(next) else { return false }
      next = entry.parent
    }
    return false
  }

  /// Thaws the control group of the given process.
  ///
  /// - Returns: `true` if it was frozen.
  @discardableResult
  func thaw(_ identity: ProcessIdentity) -> Bool {
    guard living(identity) != nil, let group = finder.table.group(of: identity.id),
      group.isFrozen, group.isOwn
    else { return false }
    group.set(frozen: false)
    return true
  }
}
