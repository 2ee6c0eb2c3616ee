import Core
import Foundation
import Processes

/// The locks `thread-writer-locks/THREAD.lock`, which the processes of Codex hold while they write.
///
/// `/proc/locks` names their processes (proc(5)). The locks themselves are not touched. Other programs
/// that test or hold a lock do not count.
struct CodexLocks: Sendable {
  /// The first version whose processes hold a lock for each thread.
  static let firstVersion = "0.147"
  /// The file beside the locks of versions that remove a thread's lock with its process.
  private static let coordination = ".coordination.lock"

  /// A lock and the processes that hold it.
  struct Holders: Sendable {
    /// The ids of the processes, of which only those are known that have the file open.
    var ids: [Int32] = []
    /// `true` if no process holds the lock.
    var isFree = true
  }

  /// The holders by the ids of the threads.
  private(set) var threads: [String: Holders] = [:]
  /// The number of threads by the ids of the processes.
  private(set) var counts: [Int32: Int] = [:]
  /// `true` if a thread without a lock has no process.
  private(set) var areRemoved = false

  /// Creates locks of which nothing was read.
  init() {}

  /// Reads the locks in the given folders of Codex.
  ///
  /// - Parameters:
  ///   - roots: The folders.
  ///   - table: The processes.
  ///   - list: The path of the system's list of locks.
  init(_ roots: [String], _ table: any ProcessTable, list: String) {
    let files = Self.files(in: roots)
    guard !files.isEmpty, let holders = Self.holders(list) else { return }
    areRemoved = roots.contains {
      FileTree.isFile("\($0)/thread-writer-locks/\(Self.coordination)")
    }
    var open: [Int32: [OpenFile]] = [:]
    for file in files {
      threads[file.thread, default: Holders()].isFree = holders[file.inode] == nil
      for id in holders[file.inode] ?? [] {
        // The list names devices in a form that not all file systems share with stat(2).
        let known = open[id] ?? table.files(of: id)
        open[id] = known
        guard known.contains(where: { $0.inode == file.inode && $0.device == file.device }) else {
          continue
        }
        threads[file.thread, default: Holders()].ids.append(id)
        counts[id, default: 0] += 1
      }
    }
  }

  /// Returns the time at which the given thread began, which is part of its id (RFC 9562, version 7);
  /// nil if it is unknown.
  static func start(of thread: String) -> Timestamp? {
    let digits = thread.filter { $0 != "-" }
    guard digits.count == 32, digits.dropFirst(12).first == "7",
      let milliseconds = Int64(digits.prefix(12), radix: 16)
    else { return nil }
    return Timestamp(milliseconds: milliseconds)
  }

  private static func files(
    in roots: [String]
  ) -> [(thread: String, device: UInt64, inode: UInt64)] {
    roots.flatMap { root in
      let path = "\(root)/thread-writer-locks"
      return (Descriptor.names(in: path) ?? []).sorted().compactMap {
        name -> (thread: String, device: UInt64, inode: UInt64)? in
        var status = stat()
        guard name.hasSuffix(".lock"), lstat("\(path)/\(name)", &status) == 0,
          status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return (String(name.dropLast(5)), UInt64(status.st_dev), UInt64(status.st_ino))
      }
    }
  }

  /// Returns the ids of the processes that hold exclusive locks of flock(2), by the inodes of the
  /// files; nil if the list cannot be read.
  private static func holders(_ list: String) -> [UInt64: [Int32]]? {
    let file = Descriptor(Foundation.open(list, O_RDONLY | O_CLOEXEC))
    guard file.isOpen, let bytes = file.bytes(atMost: 4 << 20) else { return nil }
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
