import Core
import Foundation
import Processes
import Processes

/// The files `sessions/PID.json`, in which each process of Claude Code describes its session.
struct ClaudeRegistry: Sendable {
  /// The first version whose processes all have a file while they live.
  static let firstVersion = "2.1.139"

  /// The files of processes.
  private(set) var entries: [ClaudeRegistryEntry] = []
  /// `true` if there is a folder of files.
  private(set) var isThere = false

  /// Creates a registry of which nothing was read.
  init() {}

  /// Reads the files in the given folders of Claude Code.
  ///
  /// A file that cannot be understood is being written; the process then has its earlier entry.
  init(_ roots: [String], after earlier: ClaudeRegistry) {
    for root in roots {
      guard let names = Descriptor.names(in: "\(root)/sessions") else { continue }
      isThere = true
      for name in names.sorted() where name.hasSuffix(".json") {
        guard let id = Int32(name.dropLast(5)) else { continue }
        let entry =
          ClaudeRegistryEntry(of: id, in: root)
          ?? earlier.entries.first { $0.identity.id == id && $0.root == root }
        if let entry { entries.append(entry) }
      }
    }
  }
}
