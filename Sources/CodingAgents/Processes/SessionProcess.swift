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
  /// `true` if a signal stopped the process.
  public var isStopped = false
  /// `true` if the process has a terminal.
  public var hasTerminal = false
  /// `true` if `agent-run` started the process, which is certain, and then reports the session.
  public var isUnderRunner = false

  /// Creates a process without a known state.
  init(certainty: Certainty, identity: ProcessIdentity? = nil, status: AgentStatus? = nil) {
    (self.certainty, self.identity, self.status) = (certainty, identity, status)
  }

  /// No process.
  public static let none = SessionProcess(certainty: .none)

  /// Returns the process with its current state from the given table.
  func current(in table: any ProcessTable) -> SessionProcess {
    guard let identity, let entry = table.entry(identity.id), entry.identity == identity,
      !entry.hasEnded
    else { return .none }
    var process = self
    (process.isStopped, process.hasTerminal) = (entry.isStopped, entry.hasTerminal)
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
    case .shared: "its process is not the session's own"
    case .guess: "its process is only a guess, from the folder and the name"
    case .none: "its process was not found"
    }
  }
}
