import Core

/// The servers that Claude Code has for single folders: `projects[FOLDER].mcpServers` of
/// `~/.claude.json`, which `claude mcp add` writes.
struct ClaudeProjects {
  /// The servers of each folder that has some, the nearest to the current folder first.
  let folders: [(path: String, servers: [String: JSONValue])]
  /// The number of ``folders`` that contain the current folder.
  let near: Int

  /// Reads the projects in the given file.
  ///
  /// - Parameters:
  ///   - members: The members of the file.
  ///   - current: The current folder.
  init(_ members: [String: JSONValue], from current: String) {
    let all = (members["projects"]?.members ?? [:])
      .map { (path: $0.key, servers: $0.value["mcpServers"]?.members ?? [:]) }
      .filter { !$0.servers.isEmpty }.sorted { $0.path < $1.path }
    let above = all.filter { (current + "/").hasPrefix($0.path + "/") }
    let others = all.filter { !(current + "/").hasPrefix($0.path + "/") }
    // The deepest folder is the nearest.
    folders = above.reversed() + others
    near = above.count
  }
}
