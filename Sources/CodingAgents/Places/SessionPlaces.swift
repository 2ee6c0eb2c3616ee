public import Core
import Foundation

/// The places of an agent's sessions on this machine.
public struct SessionPlaces: Sendable {
  let agent: CodingAgent
  private let environment: [String: String]

  /// Creates the places of the given agent, with the environment whose variables may move them.
  public init(_ agent: CodingAgent, environment: [String: String]) {
    (self.agent, self.environment) = (agent, environment)
  }

  /// The folders in which the agent keeps its sessions.
  ///
  /// The variables are `CLAUDE_CONFIG_DIR` (a list with commas), `CODEX_HOME`, `GEMINI_CLI_HOME`,
  /// `XDG_DATA_HOME` and `OPENCODE_DB`.
  public var roots: [String] {
    let home = variable("HOME") ?? NSHomeDirectory()
    switch agent {
    case .claude:
      if let moved = variable("CLAUDE_CONFIG_DIR") {
        return moved.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      }
      let config = variable("XDG_CONFIG_HOME") ?? home + "/.config"
      return [home + "/.claude", config + "/claude"]
    case .codex: return [variable("CODEX_HOME") ?? home + "/.codex"]
    case .gemini: return [(variable("GEMINI_CLI_HOME") ?? home) + "/.gemini"]
    case .opencode:
      let data = (variable("XDG_DATA_HOME") ?? home + "/.local/share") + "/opencode"
      guard let moved = variable("OPENCODE_DB"), moved != ":memory:" else { return [data] }
      return [moved.hasPrefix("/") ? moved : "\(data)/\(moved)"]
    }
  }

  private func variable(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the sources of sessions, those of earlier sessions first if names tell.
  ///
  /// - Parameters:
  ///   - path: A folder of the agent, a folder of its sessions, or a file; nil for ``roots``.
  ///   - fail: Receives a failure for each folder that cannot be read.
  /// - Returns: The sources.
  /// - Throws: `NotFound` if the path does not exist, or if there is none of the folders.
  public func sources(
    in path: String?, onFailure fail: (Failure) throws(Failure) -> Void
  ) throws(Failure) -> [SessionSource] {
    let found = (path.map { [$0] } ?? roots).filter { access($0, F_OK) == 0 }
    guard !found.isEmpty else {
      let names = (path.map { [$0] } ?? roots).map { "'\(Visible.line($0))'" }
      throw Failure(
        .notFound, "there are no sessions of \(agent.title): no \(names.joined(separator: ", "))",
        input: path)
    }
    var sources: [SessionSource] = []
    for root in found {
      for folder in searched(root) {
        guard FileTree.isFolder(folder) else {
          sources += self.sources([folder], root)
          continue
        }
        let tree = FileTree(folder)
        for failure in tree.failures { try fail(failure) }
        sources += self.sources(tree.files, root)
      }
      if agent == .claude { sources += history(in: root) }
    }
    if sources.isEmpty, let path {
      throw Failure(
        .notFound, "there are no sessions of \(agent.title) in '\(Visible.line(path))'", input: path
      )
    }
    switch agent {
    case .codex: return Self.active(sources)
    // The history comes last: only the sessions that were read tell whose answers are there.
    case .claude: return sources.filter { !$0.isHistory } + sources.filter(\.isHistory)
    case .gemini, .opencode: return sources
    }
  }

  /// The folders in which files of sessions appear, those that do not exist included.
  ///
  /// For a database, it is the folder of the database.
  public var watched: [String] {
    roots.flatMap { root -> [String] in
      switch agent {
      case .claude: ["\(root)/projects"]
      case .codex: ["\(root)/sessions"]
      case .gemini: ["\(root)/tmp"]
      case .opencode:
        [FileTree.isFolder(root) ? root : (root as NSString).deletingLastPathComponent]
      }
    }
  }

  /// Returns the sources in the given files, which lie below ``watched``.
  ///
  /// Titles are texts. They are read from a file of their own only if `isTitled` is `true`.
  public func sources(of files: [String], titled isTitled: Bool = false) -> [SessionSource] {
    roots.flatMap { root in
      sources(files.filter { $0.hasPrefix(root + "/") || $0 == root }, root, titled: isTitled)
    }
  }

  /// Returns the folders below the given root that contain sessions; the root itself if it has no
  /// folder of the usual name.
  private func searched(_ root: String) -> [String] {
    let names =
      switch agent {
      case .claude: ["projects"]
      case .codex: ["sessions", "archived_sessions"]
      case .gemini: ["tmp"]
      case .opencode: [String]()
      }
    let usual = names.map { "\(root)/\($0)" }.filter(FileTree.isFolder)
    return usual.isEmpty ? [root] : usual
  }

  private func sources(
    _ files: [String], _ root: String, titled isTitled: Bool = true
  ) -> [SessionSource] {
    switch agent {
    case .claude: claude(files)
    case .codex:
      codex(files, titles: isTitled ? Self.titles(in: "\(root)/session_index.jsonl") : [:])
    case .gemini: gemini(files, root)
    case .opencode: openCode(files)
    }
  }

  // MARK: Claude Code

  /// Groups sessions with their subagents, which are in a folder with the session's name.
  private func claude(_ files: [String]) -> [SessionSource] {
    var groups: [String: [TranscriptFile]] = [:]
    for path in files where path.hasSuffix(".jsonl") {
      let stem = String(path.dropLast(6))
      let parts = stem.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard let place = parts.firstIndex(of: "subagents"), place > 0,
        let name = parts.last, name.hasPrefix("agent-")
      else {
        groups[stem, default: []].append(
          TranscriptFile(path, SessionKey(.claude, parts.last ?? "")))
        continue
      }
      let key = SessionKey(.claude, parts[place - 1], subagent: String(name.dropFirst(6)))
      groups[parts[..<place].joined(separator: "/"), default: []].append(
        TranscriptFile(path, key, parent: key.id))
    }
    return groups.sorted { $0.key < $1.key }.map { _, files in
      .transcripts(
        files.sorted { left, right in
          let (isLeft, isRight) = (left.session.subagent != nil, right.session.subagent != nil)
          return isLeft == isRight ? left.path < right.path : !isLeft
        })
    }
  }

  /// Returns the file with the prompts of all sessions, if it is beside the folder of sessions.
  private func history(in root: String) -> [SessionSource] {
    let name = ClaudeTranscript.historyName
    let path = "\(root)/\(name).jsonl"
    // Without a folder of sessions, the file was found with all others.
    guard searched(root) != [root], FileTree.isFile(path) else { return [] }
    return [.transcripts([TranscriptFile(path, SessionKey(.claude, name))])]
  }

  // MARK: Codex

  private func codex(_ files: [String], titles: [String: String]) -> [SessionSource] {
    files.filter { $0.hasSuffix(".jsonl") || $0.hasSuffix(".jsonl.zst") }.map { path in
      let name = Self.stem(path)
      // The name ends with the thread's id, which has 36 characters.
      let id = name.hasPrefix("rollout-") && name.count > 36 ? String(name.suffix(36)) : name
      return .transcripts([
        TranscriptFile(path, SessionKey(.codex, id), title: titles[id])
      ])
    }
  }

  private static func stem(_ path: String) -> String {
    let name = (path as NSString).lastPathComponent
    return String(name.prefix(name.count - (name.hasSuffix(".zst") ? 10 : 6)))
  }

  /// Omits archived and compressed copies of files that are also there as such.
  private static func active(_ sources: [SessionSource]) -> [SessionSource] {
    var known: [String: Int] = [:]
    var active: [SessionSource] = []
    for source in sources {
      guard case .transcripts(let files) = source, let path = files.first?.path else { continue }
      let name = stem(path)
      if let place = known[name] {
        guard case .transcripts(let others) = active[place],
          others.first?.path.hasSuffix(".zst") == true, !path.hasSuffix(".zst")
        else { continue }
        active[place] = source
      } else {
        known[name] = active.count
        active.append(source)
      }
    }
    return active
  }

  private static func titles(in index: String) -> [String: String] {
    guard let file = try? PlainFile(index, atMost: 16 << 20) else { return [:] }
    var titles: [String: String] = [:]
    for line in file.bytes.split(separator: UInt8(ascii: "\n")) {
      guard let entry = JSONObject(Array(line)), let id = entry.string("id") else { continue }
      titles[id] = entry.string("thread_name")
    }
    return titles
  }

  // MARK: Gemini CLI

  private func gemini(_ files: [String], _ root: String) -> [SessionSource] {
    let folders = Self.folders(in: "\(root)/projects.json")
    return files.compactMap { path -> SessionSource? in
      let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard let name = parts.last, name.hasSuffix(".jsonl") || name.hasSuffix(".json") else {
        return nil
      }
      let chats = parts.dropLast().lastIndex(of: "chats")
      // A file that was named alone need not be in a folder of chats.
      guard chats != nil || files.count == 1 else { return nil }
      let stem = String(name.prefix { $0 != "." })
      let isAside = chats.map { $0 == parts.count - 3 } ?? false
      return .transcripts([
        TranscriptFile(
          path, SessionKey(.gemini, stem), parent: isAside ? parts[parts.count - 2] : nil,
          folder: chats.flatMap { folder(parts[..<$0], folders) })
      ])
    }
  }

  /// Returns the working folder of the project with the given folder of Gemini CLI.
  private func folder(_ parts: ArraySlice<String>, _ folders: [String: String]) -> String? {
    let root = parts.joined(separator: "/") + "/.project_root"
    if let file = try? PlainFile(root, atMost: 4096) {
      return String(decoding: file.bytes, as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    return parts.last.flatMap { folders[$0] }
  }

  /// Returns the working folders in the given file, by their short names.
  private static func folders(in path: String) -> [String: String] {
    guard let file = try? PlainFile(path, atMost: 4 << 20),
      let projects = JSONObject(file.bytes)?.object("projects")
    else { return [:] }
    var folders: [String: String] = [:]
    for folder in projects.names {
      if let name = projects.string(folder) { folders[name] = folder }
    }
    return folders
  }

  // MARK: OpenCode

  private func openCode(_ files: [String]) -> [SessionSource] {
    let databases = files.filter { path in
      let name = (path as NSString).lastPathComponent
      return name.hasSuffix(".db") && (name.hasPrefix("opencode") || files.count == 1)
    }
    var storages: [String] = []
    for path in files where path.hasSuffix(".json") {
      let folders = ["/storage/message/", "/storage/session/", "/storage/part/"]
      guard let range = folders.lazy.compactMap({ path.range(of: $0) }).first else { continue }
      let storage = String(path[..<range.lowerBound]) + "/storage"
      if !storages.contains(storage) { storages.append(storage) }
    }
    // Files of older versions come first, because the database has precedence.
    return storages.map { .storage($0) } + databases.map { .database($0) }
  }
}
