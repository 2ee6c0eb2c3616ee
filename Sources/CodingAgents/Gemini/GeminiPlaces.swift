import Core
import Foundation

extension ProgramPlaces {
  /// The places of Gemini CLI.
  static let gemini = ProgramPlaces(
    roots: { home, variable in [(variable("GEMINI_CLI_HOME") ?? home) + "/.gemini"] },
    folders: ["tmp"],
    sources: { files, root, _ in GeminiPlaces.sources(files, root) })
}

/// The files of Gemini CLI's sessions.
private enum GeminiPlaces {
  static func sources(_ files: [String], _ root: String) -> [SessionSource] {
    let folders = folders(in: "\(root)/projects.json")
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
  private static func folder(_ parts: ArraySlice<String>, _ folders: [String: String]) -> String? {
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
}
