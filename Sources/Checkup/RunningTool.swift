import Core
import Foundation

/// A process that holds the lock of a file, from proc(5).
struct RunningTool {
  /// The id of the process.
  let id: Int

  /// Finds the process that holds the lock (flock(2)) of the file at the given path.
  ///
  /// It is nil if there is none, or if the system does not list locks.
  init?(holding path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0, let locks = Self.text("/proc/locks") else { return nil }
    // 1: FLOCK  ADVISORY  WRITE 4711 fd:01:263459 0 EOF
    let holders = locks.split(separator: "\n").compactMap { line -> Int? in
      let words = line.split(separator: " ")
      guard words.count > 5, words[1] == "FLOCK",
        words[5].split(separator: ":").last == "\(facts.st_ino)"
      else { return nil }
      return Int(words[4])
    }
    // A file of another file system may have the same number.
    let holder = holders.first { id in
      let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd")
      return files?.contains { file in
        var open = stat()
        return stat("/proc/\(id)/fd/\(file)", &open) == 0 && open.st_ino == facts.st_ino
          && open.st_dev == facts.st_dev
      } ?? false
    }
    guard let holder else { return nil }
    id = holder
  }

  /// `true` if the file of the program was replaced or removed since the process started.
  var isReplaced: Bool {
    let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/exe")
    return file?.hasSuffix(" (deleted)") ?? false
  }

  private static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }
}
