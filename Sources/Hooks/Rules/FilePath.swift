import Core
import Foundation

/// Paths of files, in the forms in which rules may name them.
enum FilePath {
  /// Returns the given path from the root, without `.`, `..` and empty names; links stay.
  static func whole(_ path: String, in folder: String) -> String {
    let text = isWhole(path) ? path : folder + "/" + path
    var names: [Substring] = []
    for name in text.unicodeScalars.split(separator: "/").map({ Substring($0) }) where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return "/" + names.joined(separator: "/")
  }

  /// Returns `true` if the path begins at the root.
  static func isWhole(_ path: String) -> Bool { path.unicodeScalars.first == "/" }

  /// Returns `true` if a part of the given path is `..`.
  static func leavesFolder(_ path: String) -> Bool {
    path.unicodeScalars.split { $0 == "/" || $0 == "\\" }
      .contains { $0.elementsEqual("..".unicodeScalars) }
  }

  /// Returns the given path without white space around it, with the home folder in place of `~`.
  static func expanded(_ path: String, in folder: String) -> String {
    let trimmed = path.trimmingCharacters(in: .whitespacesAndNewlines.union(.controlCharacters))
    let sign = trimmed.prefix { $0 != "/" }
    let rest = trimmed.dropFirst(sign.count)
    switch sign {
    case "~": return NSHomeDirectory() + rest
    case "~+": return folder + rest
    default: return sign.hasPrefix("~") ? "/home/" + trimmed.dropFirst() : trimmed
    }
  }

  /// Returns the forms of a path in which a rule may name it: as given, from the root, from the
  /// folder, and from the home folder.
  static func forms(_ path: String, in folders: [String]) -> [String] {
    var forms = [path]
    let home = whole(NSHomeDirectory(), in: "/")
    for folder in folders.isEmpty ? [""] : folders {
      let base = whole(folder, in: "/")
      for text in [path, expanded(path, in: folder)] {
        let whole = whole(text, in: folder)
        forms += [whole, name(whole, from: base, "", "."), name(whole, from: home, "~/", "~")]
          .compactMap(\.self)
      }
    }
    return forms
  }

  /// Returns the given path from a folder; nil if it is not inside.
  private static func name(
    _ path: String, from folder: String, _ sign: String, _ itself: String
  ) -> String? {
    if path == folder { return itself }
    let (path, start) = (path.unicodeScalars, (folder + "/").unicodeScalars)
    guard path.starts(with: start) else { return nil }
    return sign + String(path.dropFirst(start.count))
  }
}
