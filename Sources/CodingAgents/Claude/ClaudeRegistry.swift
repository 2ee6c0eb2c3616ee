import Core
import Foundation
import Processes

/// The files `sessions/PID.json`, in which each process of Claude Code describes its session.
struct ClaudeRegistry {
  /// The processes by the ids of their sessions.
  private(set) var processes: [String: [SessionProcess]] = [:]

  /// Reads the files in the given folders of Claude Code.
  init(_ roots: [String], _ table: any ProcessTable) {
    for root in roots {
      let names = Descriptor.names(in: "\(root)/sessions") ?? []
      for name in names.sorted() where name.hasSuffix(".json") {
        guard let id = Int32(name.dropLast(5)),
          let entry = ClaudeRegistryEntry(of: id, in: root)
        else { continue }
        add(entry, table)
      }
    }
  }

  private mutating func add(_ entry: ClaudeRegistryEntry, _ table: any ProcessTable) {
    let session = entry.session
    let process = SessionProcess(
      certainty: .certain, identity: entry.identity, status: Self.status(entry.status))
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
