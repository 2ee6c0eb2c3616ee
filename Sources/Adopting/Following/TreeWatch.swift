import Core
import Foundation

/// A watch on folders with all their subfolders, which names the files that changed (inotify(7)).
///
/// On systems without inotify, and if the system allows no more watches, the caller looks for
/// changes itself.
struct TreeWatch: ~Copyable {
  /// The greatest depth of folders that are watched.
  private static let deepest = 16

  /// The changes since the last call.
  struct Changes {
    /// The paths of files that were created, written or moved here.
    var files: Set<String> = []
    /// `true` if changes were lost, so that all files must be examined.
    var isIncomplete = false
  }

  private let notes: Descriptor
  private var folders: [Int32: (path: String, depth: Int)] = [:]
  private var watched: Set<String> = []
  /// `false` if changes may be missed.
  private(set) var isWhole = true

  /// Creates a watch without folders.
  init() {
    #if os(Linux)
      notes = Descriptor(inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)))
    #else
      notes = Descriptor(-1)
    #endif
    isWhole = notes.isOpen
  }

  /// The descriptor that can be read when something has changed; below 0 if there is none.
  var descriptor: Int32 { notes.number }

  /// Returns `true` if the given folder is watched.
  func contains(_ folder: String) -> Bool { watched.contains(folder) }

  /// Watches the given folder.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - isDeep: `true` to watch its subfolders too.
  /// - Returns: The files in it, some of which the watch may have missed.
  mutating func add(_ folder: String, deep isDeep: Bool) -> Set<String> {
    var files: Set<String> = []
    add(folder, depth: isDeep ? 0 : Self.deepest - 1, &files)
    return files
  }

  private mutating func add(_ folder: String, depth: Int, _ files: inout Set<String>) {
    guard depth < Self.deepest else { return }
    watch(folder, depth)
    guard let names = Descriptor.names(in: folder) else { return }
    for name in names {
      let path = "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: add(path, depth: depth + 1, &files)
      case S_IFREG: files.insert(path)
      default: continue
      }
    }
  }

  private mutating func watch(_ folder: String, _ depth: Int) {
    #if os(Linux)
      guard notes.isOpen else { return }
      let wanted = UInt32(
        IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
      let number = inotify_add_watch(notes.number, folder, wanted)
      if number >= 0 {
        folders[number] = (folder, depth)
        watched.insert(folder)
      } else if errno == ENOSPC {
        isWhole = false
      }
    #endif
  }

  /// Returns the changes since the last call, and watches new folders.
  mutating func changes() -> Changes {
    var changes = Changes()
    #if os(Linux)
      guard notes.isOpen else { return changes }
      var added: [(path: String, depth: Int)] = []
      withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
        while true {
          let count = read(notes.number, buffer.baseAddress, buffer.count)
          guard count > 0 else { break }
          take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), &changes, &added)
        }
      }
      for folder in added { add(folder.path, depth: folder.depth, &changes.files) }
    #endif
    return changes
  }

  #if os(Linux)
    private mutating func take(
      _ bytes: UnsafeRawBufferPointer, _ changes: inout Changes,
      _ added: inout [(path: String, depth: Int)]
    ) {
      let head = MemoryLayout<inotify_event>.size
      var offset = 0
      while offset + head <= bytes.count {
        let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let name = bytes[(offset + head)..<min(bytes.count, offset + head + Int(event.len))]
        offset += head + Int(event.len)
        let mask = Int64(event.mask)
        if mask & Int64(IN_Q_OVERFLOW) != 0 { changes.isIncomplete = true }
        guard let folder = folders[event.wd] else { continue }
        if mask & Int64(IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF) != 0 {
          // A folder that was moved is watched again under its new name.
          if mask & Int64(IN_MOVE_SELF) != 0 { inotify_rm_watch(notes.number, event.wd) }
          folders[event.wd] = nil
          watched.remove(folder.path)
          continue
        }
        let word = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        guard !word.isEmpty else { continue }
        let path = "\(folder.path)/\(word)"
        if mask & Int64(IN_ISDIR) != 0 {
          added.append((path, folder.depth + 1))
        } else {
          changes.files.insert(path)
        }
      }
    }
  #endif
}
