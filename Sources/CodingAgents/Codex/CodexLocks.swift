import Core
import Foundation
import Processes

/// The locks `thread-writer-locks/THREAD.lock`, which the processes of Codex hold while they write.
///
/// `/proc/locks` names their processes (proc(5)). The locks themselves are not touched. Other programs
/// that test or hold a lock do not count.
struct CodexLocks {
  /// The processes by the ids of their threads.
  private(set) var processes: [String: [SessionProcess]] = [:]

  /// Reads the locks in the given folders of Codex.
  ///
  /// - Parameters:
  ///   - roots: The folders.
  ///   - table: The processes.
  ///   - list: The path of the system's list of locks.
  init(_ roots: [String], _ table: any ProcessTable, list: String) {
    var files: [(thread: String, device: UInt64, inode: UInt64)] = []
    for root in roots {
      let path = "\(root)/thread-writer-locks"
      for name in (Descriptor.names(in: path) ?? []).sorted() where name.hasSuffix(".lock") {
        var status = stat()
        guard lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
          continue
        }
        files.append((String(name.dropLast(5)), UInt64(status.st_dev), UInt64(status.st_ino)))
      }
    }
    guard !files.isEmpty else { return }
    let holders = Self.holders(list)
    var threads: [Int32: Int] = [:]
    var open: [Int32: [OpenFile]] = [:]
    var found: [(thread: String, id: Int32)] = []
    for file in files {
      for id in holders[file.inode] ?? [] {
        // The list names devices in a form that not all file systems share with stat(2).
        let known = open[id] ?? table.files(of: id)
        open[id] = known
        guard known.contains(where: { $0.inode == file.inode && $0.device == file.device }) else {
          continue
        }
        found.append((file.thread, id))
        threads[id, default: 0] += 1
      }
    }
    for (thread, id) in found {
      guard let entry = table.entry(id) else { continue }
      let program = AgentProgram(entry, words: table.words(of: id))
      guard program.isAgent(.codex) else { continue }
      let isAlone = threads[id] == 1 && !program.isService
      let process = SessionProcess(
        certainty: isAlone ? .certain : .shared, identity: entry.identity)
      processes[thread, default: []].append(process.current(in: table))
    }
  }

  /// Returns the ids of the processes that hold exclusive locks of flock(2), by the inodes of the
  /// files.
  private static func holders(_ list: String) -> [UInt64: [Int32]] {
    let file = Descriptor(Foundation.open(list, O_RDONLY | O_CLOEXEC))
    guard file.isOpen, let bytes = file.bytes(atMost: 4 << 20) else { return [:] }
    var holders: [UInt64: [Int32]] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      // "1: FLOCK  ADVISORY  WRITE 4711 08:02:131 0 EOF"; a process that waits has "->" instead.
      let fields = line.split(separator: " ")
      guard fields.count > 5, fields[1] == "FLOCK", fields[3] == "WRITE", let id = Int32(fields[4]),
        let inode = fields[5].split(separator: ":").last.flatMap({ UInt64($0) })
      else { continue }
      holders[inode, default: []].append(id)
    }
    return holders
  }
}
