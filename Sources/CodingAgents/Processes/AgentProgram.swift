import Foundation
import Processes

/// The program of a process.
///
/// The file that the system executes decides, because a process may call itself as it likes. For an
/// interpreter, which executes the program of another file, the name and the command decide.
struct AgentProgram {
  /// The programs whose first operand is the program that runs; their names may end with a version.
  private static let interpreters: Set<String> = ["bun", "deno", "node", "nodejs", "python"]
  /// The beginnings of the names of programs that load the program of another file.
  private static let loaders = ["ld-linux", "ld-musl", "qemu-", "rosetta"]
  /// The interpreters whose first operand may be the command `run`.
  private static let runners: Set<String> = ["bun", "deno"]
  /// The options of interpreters whose next word is their value.
  private static let valued: Set<String> = ["-r", "--require", "--import"]
  /// The commands of Codex that serve the threads of editors and other programs.
  private static let services: Set<String> = ["app-server", "mcp-server"]
  /// The option and the folder that show the service that Codex itself starts in the background.
  private static let daemon = (option: "--managed-daemon", folder: "app-server-daemon")
  /// The beginnings of the names of packages that contain a program of the agent.
  private static let packages: [CodingAgent: [String]] = [
    .claude: ["claude-code", "claude-agent-sdk"], .gemini: ["gemini-cli"],
    .opencode: ["opencode-"],
  ]

  private let names: Set<String>
  /// The package of the script that runs; nil for none.
  private let package: String?
  /// `true` if a process of Codex serves the threads of other programs.
  let isService: Bool
  /// `true` if Codex started this service itself, for the sessions in terminals.
  let isDaemon: Bool

  /// Creates the program of the given process.
  init(_ entry: ProcessEntry, in table: any ProcessTable) {
    let words = table.words(of: entry.identity.id)
    let claimed = [entry.name] + words.prefix(1).map(Self.name)
    let path = table.program(of: entry.identity.id)
    let file = path.map(Self.name) ?? ""
    var (names, package) = (claimed, String?.none)
    if let path, !Self.isInterpreter(file), !Self.loaders.contains(where: file.hasPrefix) {
      names = [file, Self.versioned(path)].compactMap(\.self)
    } else if let first = claimed.dropFirst().first,
      // Operands of other programs may be the names of agents.
      let script = Self.script(first, words.dropFirst())
    {
      names.append(Self.name(script))
      package = Self.package(script)
    }
    (self.names, self.package) = (Set(names), package)
    isService =
      words.dropFirst().contains { Self.services.contains($0) }
      || names.contains { name in Self.services.contains { name == "codex-\($0)" } }
    isDaemon =
      isService
      && (words.contains(Self.daemon.option)
        || path?.split(separator: "/").contains(Self.daemon.folder[...]) ?? false)
  }

  /// Returns the name of the file with the given path, without the marks of a wrapped program.
  private static func name(_ path: String) -> String {
    let name = (path as NSString).lastPathComponent
    guard name.hasPrefix("."), name.hasSuffix("-wrapped") else { return name }
    return String(name.dropFirst().dropLast("-wrapped".count))
  }

  /// Returns the name of a program whose file is named by its version; nil for others.
  private static func versioned(_ path: String) -> String? {
    let parts = path.split(separator: "/")
    guard parts.count > 2, parts[parts.count - 2] == "versions" else { return nil }
    return String(parts[parts.count - 3])
  }

  /// Returns the name of the package of the given script; nil if it is in none.
  private static func package(_ path: String) -> String? {
    let parts = path.split(separator: "/")
    guard let modules = parts.lastIndex(of: "node_modules") else { return nil }
    return parts[(modules + 1)...].first { !$0.hasPrefix("@") }.map(String.init)
  }

  private static func isInterpreter(_ file: String) -> Bool {
    let end = file.lastIndex { !"0123456789.".contains($0) }
    return end.map { interpreters.contains(String(file[...$0])) } ?? false
  }

  /// Returns the program that the given interpreter runs; nil if it runs none, or is none.
  private static func script(_ interpreter: String, _ words: ArraySlice<String>) -> String? {
    guard isInterpreter(interpreter) else { return nil }
    var mayRun = runners.contains { interpreter.hasPrefix($0) }
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
      || Self.packages[agent]?.contains { package?.hasPrefix($0) ?? false } ?? false
  }
}
