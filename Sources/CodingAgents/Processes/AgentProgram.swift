import Foundation
import Processes

/// The program of a process, as the name and the command of the process show it.
struct AgentProgram {
  /// The programs whose first operand is the program that runs; their names may end with a version.
  private static let interpreters: Set<String> = ["bun", "deno", "node", "nodejs", "python"]
  /// The interpreters whose first operand may be the command `run`.
  private static let runners: Set<String> = ["bun", "deno"]
  /// The options of interpreters whose next word is their value.
  private static let valued: Set<String> = ["-r", "--require", "--import"]
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
      if let script = Self.script(first, words.dropFirst()) { names.append(Self.name(script)) }
    }
    self.names = Set(names)
    isService =
      words.dropFirst().contains { Self.services.contains($0) }
      || names.contains { name in Self.services.contains { name == "codex-\($0)" } }
  }

  private static func name(_ path: String) -> String { (path as NSString).lastPathComponent }

  /// Returns the program that the given interpreter runs; nil if it runs none, or is none.
  private static func script(_ interpreter: String, _ words: ArraySlice<String>) -> String? {
    let end = interpreter.lastIndex { !"0123456789.".contains($0) }
    let name = end.map { String(interpreter[...$0]) } ?? ""
    guard interpreters.contains(name) else { return nil }
    var mayRun = runners.contains(name)
    var words = words
    while let word = words.popFirst() {
      if valued.contains(word) {
        words = words.dropFirst()
      } else if mayRun, word == "run" {
        mayRun = false
      } else if !word.hasPrefix("-") {
        return word
      }
    }
    return nil
  }

  /// Returns `true` if the program is the given agent.
  func isAgent(_ agent: CodingAgent) -> Bool {
    // Builds of Codex have names such as codex-x86_64-unknown-linux-musl.
    names.contains { $0 == agent.rawValue || agent == .codex && $0.hasPrefix("codex-") }
  }
}
