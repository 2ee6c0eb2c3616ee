import Core
import Foundation

extension ProgramPlaces {
  /// The places of OpenCode.
  static let opencode = ProgramPlaces(
    roots: { home, variable in
      let data = (variable("XDG_DATA_HOME") ?? home + "/.local/share") + "/opencode"
      guard let moved = variable("OPENCODE_DB"), moved != ":memory:" else { return [data] }
      return [moved.hasPrefix("/") ? moved : "\(data)/\(moved)"]
    },
    sources: { files, _, _ in OpenCodePlaces.sources(files) })
}

/// The files of OpenCode's sessions.
private enum OpenCodePlaces {
  static func sources(_ files: [String]) -> [SessionSource] {
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
