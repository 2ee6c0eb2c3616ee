import Foundation
import Processes

/// A living process whose user and program are those of an agent.
///
/// Files of an agent may name any process, because they outlive their process, and because every
/// program of the user may write them. Whatever names a process, only this rule makes it an agent's.
struct AgentProcess {
  /// The entry of the process.
  let entry: ProcessEntry
  /// The program.
  let program: AgentProgram
  private let table: any ProcessTable

  /// Finds the process with the given id; nil if it has ended, belongs to another user or runs
  /// another program.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - agent: The agent; nil if any program fits.
  ///   - table: The processes of this user.
  init?(_ id: Int32, of agent: CodingAgent?, in table: any ProcessTable) {
    guard let entry = table.entry(id), !entry.hasEnded else { return nil }
    let program = AgentProgram(entry, in: table)
    guard agent.map(program.isAgent) ?? true else { return nil }
    (self.entry, self.program, self.table) = (entry, program, table)
  }

  /// Returns `true` if the process works in one of the given folders.
  ///
  /// A process that was told to work in another folder than its own has this folder in its command.
  func isIn(_ folders: [String]) -> Bool {
    guard let own = table.folder(of: entry.identity.id) else { return false }
    if folders.contains(own) { return true }
    let folders = Set(folders.map(Self.resolved))
    if folders.contains(Self.resolved(own)) { return true }
    return table.words(of: entry.identity.id).dropFirst().contains { word in
      word.hasPrefix("/") && folders.contains(Self.resolved(word))
    }
  }

  /// Returns the given path without symbolic links.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
