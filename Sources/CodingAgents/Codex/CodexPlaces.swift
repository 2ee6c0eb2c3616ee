import Core
import Foundation

extension ProgramPlaces {
  /// The places of Codex.
  static let codex = ProgramPlaces(
    roots: { home, variable in [variable("CODEX_HOME") ?? home + "/.codex"] },
    folders: ["sessions", "archived_sessions"],
    sources: { files, root, isTitled in
      CodexPlaces.sources(
        files, titles: isTitled ? CodexPlaces.titles(in: "\(root)/session_index.jsonl") : [:])
    },
    ordered: { CodexPlaces.active($0) })
}

/// The files of Codex's threads.
private enum CodexPlaces {
  static func sources(_ files: [String], titles: [String: String]) -> [SessionSource] {
    files.filter { $0.hasSuffix(".jsonl") || $0.hasSuffix(".jsonl.zst") }.map { path in
      let name = stem(path)
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
  static func active(_ sources: [SessionSource]) -> [SessionSource] {
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

  static func titles(in index: String) -> [String: String] {
    guard let file = try? PlainFile(index, atMost: 16 << 20) else { return [:] }
    var titles: [String: String] = [:]
    for line in file.bytes.split(separator: UInt8(ascii: "\n")) {
      guard let entry = JSONObject(Array(line)), let id = entry.string("id") else { continue }
      titles[id] = entry.string("thread_name")
    }
    return titles
  }
}
