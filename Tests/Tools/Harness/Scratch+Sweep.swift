import Foundation

extension Scratch {
  /// Returns the files that contain the secret, by their names in the place.
  ///
  /// Everything that a tool wrote is searched: its output, its stderr, its home, a server's log.
  /// Input from the test is not searched.
  func leaks() -> [String] {
    let needle = Data(secret.utf8)
    var found: [String] = []
    let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    for name in names where !name.hasPrefix("given/") && !name.hasPrefix("bin/") {
      guard let bytes = FileManager.default.contents(atPath: path(name)),
        bytes.range(of: needle) != nil
      else { continue }
      let isRevealed = runs.contains { run in
        name.hasSuffix(".out") && run.command.contains("--reveal") && run.output.contains(secret)
      }
      // A run with --reveal shows the secret on purpose, and a test's own keyring holds it.
      let isNamed = name.hasPrefix("user/keyring")
      if !isRevealed && !isNamed { found.append(name) }
    }
    return found
  }

  /// Appends all records of all runs to a file of the collecting folder, except those that the test
  /// wrote and a tool passed on, those that jq made, and messages of MCP.
  func collectRecords() {
    guard let folder = Places.records else { return }
    let fed = fed
    let lines = runs.filter { !$0.command.contains("jq ") }.flatMap {
      // A terminal ends its lines, and repaints progress, with carriage returns.
      $0.output.split { ["\n", "\r", "\r\n"].contains($0) }.map(String.init)
    }
    .filter { $0.hasPrefix("{") && $0.contains("\"type\":") && !fed.contains($0) }
    .filter { !$0.contains("\"jsonrpc\":") }
    guard !lines.isEmpty else { return }
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    let file = "\(folder)/\((root as NSString).lastPathComponent).ndjson"
    try? Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: file))
  }
}
