import Core
public import Processes

/// A file `sessions/PID.json`, in which a process of Claude Code describes its session.
///
/// A file may outlive its process. The time of the process's start tells that.
public struct ClaudeRegistryEntry: Sendable, Hashable {
  /// The largest size of a file.
  private static let largest = 1 << 16

  /// The process.
  public var identity: ProcessIdentity
  /// The id of the session.
  public var session: String
  /// The word for the state, such as `busy` or `waiting`; nil if there is none.
  public var status: String?
  /// The kind of program that the process is, such as `cli` or `sdk-cli`; nil if it is unknown.
  public var entrypoint: String?

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
  }

  /// `true` if the process waits for a person in the middle of its work.
  public var isWaiting: Bool { status == "waiting" }
}
