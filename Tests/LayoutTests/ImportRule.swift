/// Which target may import what: the table of the design, as data.
///
/// Order matters as little as in the package: a target that has no row may not exist.
struct ImportRule {
  /// What every target may import: the platform.
  static let platform: Set = ["Foundation", "Synchronization", "Glibc", "Musl", "Darwin"]

  /// The libraries.
  static let libraries: [String: Set<String>] = [
    "CCurl": [],
    "CXML2": [],
    "CZ": [],
    "CContentModel": [],
    "CProcess": [],
    "CTerminal": [],
    "CSSH": [],
    "Core": ["GRDB", "GRDBSQLite", "Crypto", "Security"],
    "Command": ["Core", "ArgumentParser"],
    "HTTP": ["Core", "CCurl"],
    "Reading": ["Core", "CXML2", "CContentModel"],
    "Fetching": ["Core", "HTTP", "Reading"],
    "Providers": ["Core", "HTTP"],
    "Pipelines": ["Core", "Providers", "Fetching"],
    "Exporting": ["Core"],
    "Watching": ["Core", "CZ"],
    "Remote": ["Core", "CSSH", "CTerminal"],
    "Agents": ["Core", "Watching", "CProcess"],
  ]

  /// What each tool imports beside Core, Command and ArgumentParser.
  static let tools: [String: Set<String>] = [
    "agent-control": ["Watching"],
    "agent-run": ["Agents", "Watching"],
    "agent-stat": ["Watching"],
    "ceo-plan": ["HTTP", "Providers", "Pipelines"],
    "export-md": ["Exporting"],
    "gate-decide": ["Watching"],
    "key-store": [],
    "stage-run": ["HTTP", "Fetching", "Providers", "Pipelines", "Watching"],
    "stream-tail": ["Watching"],
    "tmux-attach": ["Remote", "Watching"],
    "web-fetch": ["HTTP", "Fetching", "Reading"],
  ]

  static func allowed(_ target: String) -> Set<String>? {
    libraries[target] ?? tools[target]?.union(["Core", "Command", "ArgumentParser"])
  }

  static func violations(in file: SourceFile) -> [Violation] {
    guard let target = file.target else { return [] }
    guard let allowed = allowed(target)?.union(platform) else {
      return [Violation(path: file.path, reason: "the target '\(target)' has no row in the table")]
    }
    return file.code.compactMap { line in
      guard let module = importedModule(line.text), !allowed.contains(module) else { return nil }
      return Violation(
        path: file.path, line: line.number, reason: "'\(target)' may not import '\(module)'")
    }
  }

  /// The module that a line imports: `@testable public import struct Core.Failure` imports Core.
  static func importedModule(_ line: String) -> String? {
    let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ";" })
    let modifiers: Set = ["public", "internal", "package", "fileprivate", "private"]
    let kinds: Set = [
      "typealias", "struct", "class", "enum", "protocol", "let", "var", "func", "actor",
    ]
    let rest = words.drop { $0.hasPrefix("@") || modifiers.contains(String($0)) }
    guard rest.first == "import" else { return nil }
    let path = rest.dropFirst().drop { kinds.contains(String($0)) }.first
    return path?.split(separator: ".").first.map(String.init)
  }
}
