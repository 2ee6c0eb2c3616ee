public import Core
import Foundation
public import Processes

/// A file `sessions/PID.json`, in which a process of Claude Code describes its session.
///
/// A file may outlive its process. The time of the process's start tells that.
public struct ClaudeRegistryEntry: Sendable, Hashable {
  /// The largest size of a file.
  private static let largest = 1 << 16
  private static let longestName = 80
  /// The sources of names that are no text of a conversation.
  private static let namers: Set = ["derived", "user", "collision"]

  /// The process.
  public var identity: ProcessIdentity
  /// The id of the session.
  public var session: String
  /// The word for the state, such as `busy` or `waiting`; nil if there is none.
  public var status: String?
  /// The words for the cause of a wait, such as `permission prompt`; nil if there are none.
  public var waitingFor: String?
  /// The session's name, from its folder or from a person; nil if it has none.
  public var name: String?
  /// The kind of program that the process is, such as `cli` or `sdk-cli`; nil if it is unknown.
  public var entrypoint: String?
  /// The folder in which the process works; nil if it is unknown.
  var folder: String?
  /// The set of process ids to which that of the process belongs; nil if it is unknown.
  private let domain: String?
  /// The folder of Claude Code.
  let root: String

  /// Reads the file of the process with the given id; nil if there is none, or if it is malformed.
  ///
  /// - Parameters:
  ///   - id: The id of the process.
  ///   - root: The folder of Claude Code.
  public init?(of id: Int32, in root: String) {
    guard let file = try? PlainFile("\(root)/sessions/\(id).json", atMost: Self.largest),
      let entry = JSONObject(file.bytes),
      entry.integer("pid").map({ $0 == Int(id) }) ?? true, let session = entry.string("sessionId"),
      let start = entry.word("procStart").flatMap({ UInt64($0) })
    else { return nil }
    (identity, self.session) = (ProcessIdentity(id: id, start: start), session)
    (status, entrypoint) = (entry.string("status"), entry.string("entrypoint"))
    (waitingFor, name) = (entry.string("waitingFor"), Self.name(in: entry))
    (folder, domain) = (entry.string("cwd"), entry.string("pidDomain"))
    self.root = root
  }

  /// Returns the name in the given entry; nil if a model or a hook may have made it of the
  /// conversation, whose words must not reach the log.
  private static func name(in entry: JSONObject) -> String? {
    let source = entry.string("nameSource")
    guard source.map(namers.contains) ?? true, let name = entry.string("name") else { return nil }
    let shown = Visible.line(Secrets.shown(name))
    return shown.isEmpty ? nil : String(shown.prefix(longestName))
  }

  /// `true` if the process has its id in another set of ids, as in a container.
  var isElsewhere: Bool {
    guard let domain, domain.contains(":pid:["),
      let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
    else { return false }
    return !domain.hasSuffix(":" + own)
  }

  /// The status of the agent; nil if the process states none that is known.
  var agentStatus: AgentStatus? {
    switch status {
    case "busy", "shell": .running
    // An agent whose turn has ended waits for the next prompt.
    case "idle", "waiting": .waiting
    default: nil
    }
  }

  /// `true` if the process waits for a person in the middle of its work.
  public var isWaiting: Bool { status == "waiting" }

  /// The cause of the wait; nil if the process does not wait.
  public var cause: WaitCause? {
    switch (status, waitingFor) {
    // An agent whose turn has ended waits for the next prompt. A person has opened a dialog.
    case ("idle", _), ("waiting", "dialog open"): .prompt
    case ("waiting", "input needed"): .question
    // Others are `permission prompt`, `sandbox request`, `worker request` and `goal proposal`.
    case ("waiting", _): .permission
    default: nil
    }
  }
}
