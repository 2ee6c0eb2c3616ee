import Foundation
import Processes
import Sessions

/// The program of a process, as the name and the command of the process show it.
struct AgentProgram {
  /// The programs whose first operand is the program that runs.
  private static let interpreters: Set<String> = [
    "bun", "deno", "node", "nodejs", "python", "python3",
  ]
  /// The commands of Codex that serve the threads of editors and other programs.
  private static let services: Set<String> = ["app-server", "mcp-server"]

  private let names: Set<String>
  /// `true` if a process of Codex serves the threads of other programs.
  let isService: Bool

  /// Creates the program of the given process.
  ///
  /// - Parameters:
  ///   - entry: The process.
  ///   - words: The first words of its command.
  init(_ entry: ProcessEntry, words: [String]) {
    var names = [entry.name]
    if let first = words.first.map(Self.name) {
      names.append(first)
      // Operands of other programs may be the names of agents.
      if Self.interpreters.contains(first),
        let script = words.dropFirst().first(where: { !$0.hasPrefix("-") })
      {
        names.append(Self.name(script))
      }
    }
    self.names = Set(names)
    isService =
      words.dropFirst().contains { Self.services.contains($0) }
      || names.contains { name in Self.services.contains { name == "codex-\($0)" } }
  }

  private static func name(_ path: String) -> String { (path as NSString).lastPathComponent }

  /// Returns `true` if the program is the given agent.
  func isAgent(_ agent: SessionAgent) -> Bool {
    // Builds of Codex have names such as codex-x86_64-unknown-linux-musl.
    names.contains { $0 == agent.rawValue || agent == .codex && $0.hasPrefix("codex-") }
  }
}
