import Core
import Foundation
import Processes
import Sessions

/// The files `sessions/PID.json`, in which each process of Claude Code describes its session.
///
/// A file may outlive its process. The time of the process's start tells that.
struct ClaudeRegistry {
  /// The largest size of a file.
  private static let largest = 1 << 16

  /// The processes by the ids of their sessions.
  private(set) var processes: [String: [SessionProcess]] = [:]

  /// Reads the files in the given folders of Claude Code.
  init(_ roots: [String], _ table: any ProcessTable) {
    for root in roots {
      let path = "\(root)/sessions"
      for name in (Descriptor.names(in: path) ?? []).sorted() where name.hasSuffix(".json") {
        guard let id = Int32(name.dropLast(5)) else { continue }
        add("\(path)/\(name)", id, table)
      }
    }
  }

  private mutating func add(_ path: String, _ id: Int32, _ table: any ProcessTable) {
    guard let file = try? PlainFile(path, atMost: Self.largest), let entry = JSONObject(file.bytes),
      entry.integer("pid").map({ $0 == Int(id) }) ?? true, let session = entry.string("sessionId"),
      let start = entry.word("procStart").flatMap({ UInt64($0) })
    else { return }
    let process = SessionProcess(
      certainty: .certain, identity: ProcessIdentity(id: id, start: start),
      status: Self.status(entry.string("status")))
    let current = process.current(in: table)
    guard current.certainty == .certain else { return }
    // One folder may have two names.
    guard !processes[session, default: []].contains(where: { $0.identity == current.identity })
    else { return }
    processes[session, default: []].append(current)
  }

  private static func status(_ word: String?) -> AgentStatus? {
    switch word {
    case "busy", "shell": .running
    // An agent whose turn has ended waits for the next prompt.
    case "idle", "waiting": .waiting
    default: nil
    }
  }
}
