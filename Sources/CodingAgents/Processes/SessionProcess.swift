public import Core
import Foundation
public import Processes

/// The process of a session, as far as it is known.
public struct SessionProcess: Sendable, Hashable {
  /// The certainty with which a process is known.
  public enum Certainty: String, Sendable {
    /// Id, start and session match, and the process has no other session.
    case certain
    /// The process has other sessions too, or the session has several processes.
    case shared
    /// The working folder and the name of the program match.
    case guess
    /// No process was found.
    case none
  }

  /// The certainty.
  public var certainty: Certainty
  /// The process; nil if there is none.
  public var identity: ProcessIdentity?
  /// The status that the agent states; nil if it states none.
  public var status: AgentStatus?
  /// The cause of the wait that the agent states; nil if it states none.
  public var waitingFor: WaitCause?
  /// The name that the agent gives to the session; nil if it gives none.
  public var name: String?
  /// `true` if the agent states its status at each change.
  public var statesStatus = false
  /// `true` if the agent's files show that the session has ended.
  public var hasEnded = false
  /// `true` if a signal stopped the process, or its control group is frozen.
  public var isStopped = false
  /// `true` if the process has a terminal.
  public var hasTerminal = false
  /// `true` if `agent-run` started the process, which is certain, and then reports the session.
  public var isUnderRunner = false
  /// The folder in which the process works, as the agent states it; nil if it states none.
  var folder: String?
  /// `true` if Codex started the process in the background to serve the sessions of terminals.
  var isDaemon = false
  /// The reason why the process is not certain; nil for the usual reason.
  var doubt: String?

  /// Creates a process without a known state.
  init(certainty: Certainty, identity: ProcessIdentity? = nil, status: AgentStatus? = nil) {
    (self.certainty, self.identity, self.status) = (certainty, identity, status)
  }

  /// No process.
  public static let none = SessionProcess(certainty: .none)

  /// No process, because the session has ended.
  static var ended: SessionProcess {
    var process = none
    process.hasEnded = true
    return process
  }

  /// Returns the process with its current state from the given table.
  func current(in table: any ProcessTable) -> SessionProcess {
    guard let identity, let entry = table.entry(identity.id), entry.identity == identity,
      !entry.hasEnded
    else { return .none }
    var process = self
    (process.isStopped, process.hasTerminal) = (table.isHeld(entry), entry.hasTerminal)
    process.isUnderRunner = certainty == .certain && Self.isUnderRunner(entry, in: table)
    return process
  }

  /// Returns `true` if `agent-run` started the given process.
  private static func isUnderRunner(_ entry: ProcessEntry, in table: any ProcessTable) -> Bool {
    var parent = entry.parent
    for _ in 0..<32 {
      guard parent > 1, let next = table.entry(parent) else { return false }
      if next.name == "agent-run" { return true }
      parent = next.parent
    }
    return false
  }

  /// The time at which the process started, less a second of tolerance; nil if it is unknown.
  public var startedAt: Timestamp? {
    #if os(Linux)
      var clock = timespec()
      let frequency = sysconf(Int32(_SC_CLK_TCK))
      guard let identity, frequency > 0, clock_gettime(CLOCK_BOOTTIME, &clock) == 0 else {
        return nil
      }
      let start = Double(identity.start) / Double(frequency)
      return Timestamp.now.adding(
        seconds: start - Double(clock.tv_sec) - Double(clock.tv_nsec) / 1e9 - 1)
    #else
      return nil
    #endif
  }

  /// The reason why no signals are sent; nil if they are.
  public var refusal: String? {
    switch certainty {
    case .certain: nil
    case .shared: doubt ?? "its process is not the session's own"
    case .guess: doubt ?? "its process is only a guess, from the folder and the name"
    case .none: hasEnded ? "it has ended" : "its process was not found"
    }
  }
}
