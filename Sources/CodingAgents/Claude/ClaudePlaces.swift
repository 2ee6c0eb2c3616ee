import Core
import Foundation

extension ProgramPlaces {
  /// The places of Claude Code.
  static let claude = ProgramPlaces(
    roots: { home, variable in
      if let moved = variable("CLAUDE_CONFIG_DIR") {
        return moved.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      }
      return [home + "/.claude", (variable("XDG_CONFIG_HOME") ?? home + "/.config") + "/claude"]
    },
    folders: ["projects"],
    sources: { files, _, _ in ClaudePlaces.sources(files) },
    // The history comes last: only the sessions that were read tell whose answers are there.
    ordered: { sources in sources.filter { !$0.isHistory } + sources.filter(\.isHistory) },
    aside: ClaudeTranscript.historyName + ".jsonl")
}

/// The files of Claude Code's sessions.
private enum ClaudePlaces {
  /// Groups sessions with their subagents, which are in a folder with the session's name.
  static func sources(_ files: [String]) -> [SessionSource] {
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
}

extension SessionSource {
  /// `true` if the source is the file with the prompts of all sessions.
  fileprivate var isHistory: Bool {
    guard case .transcripts(let files) = self, let file = files.first?.session else { return false }
    return file.agent == .claude && file.id == ClaudeTranscript.historyName && file.subagent == nil
  }
}

extension TranscriptFile {
  /// Returns the transcript of the given subagent of this session of Claude Code.
  public func ofSubagent(_ id: String) -> TranscriptFile {
    let key = SessionKey(session.agent, session.id, subagent: id)
    let name = "\(path.dropLast(6))/subagents/agent-\(id).jsonl"
    return TranscriptFile(name, key, parent: session.id)
  }

  /// The path of the file that describes a subagent of Claude Code.
  var facts: String { path.dropLast(6) + ".meta.json" }
}
