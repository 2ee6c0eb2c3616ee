import Core
import Foundation

/// What is known of the names in a folder, as long as the folder is not changed by others.
///
/// It tells whether a name that only looks different may be there: a file system that folds case,
/// or a copy on one, takes both for one name.
struct Listing {
  private let device: dev_t
  private let number: ino_t
  private var changed: timespec
  /// A number for every folded name: text would take ten times the memory.
  private var folded: Set<Int>

  /// Whether what a killed run left there is gone.
  let isSwept: Bool

  /// Reads the names of an open folder.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - isLocked: Whether other runs are kept off, so that what a killed one left can be removed.
  /// - Throws: `StorageFailed`.
  init(_ folder: borrowing Folder, isLocked: Bool) throws(Failure) {
    // Looked at first: what changes while the names are read makes the listing an old one.
    var status = folder.descriptor.status()
    var names = try folder.names()
    if isLocked, try folder.sweep(names) {
      status = folder.descriptor.status()
      names = try folder.names()
    }
    device = status?.st_dev ?? 0
    number = status?.st_ino ?? 0
    changed = status?.changed ?? timespec()
    folded = Set(names.map(Self.key))
    isSwept = isLocked
  }

  /// Whether nothing has changed in the folder since.
  func isOf(_ folder: borrowing Folder) -> Bool {
    guard let status = folder.descriptor.status() else { return false }
    return status.st_dev == device && status.st_ino == number
      && status.changed.tv_sec == changed.tv_sec && status.changed.tv_nsec == changed.tv_nsec
  }

  /// Whether the name, or one that folds to the same, may be there.
  func mayHold(_ name: String) -> Bool { folded.contains(Self.key(name)) }

  /// Notes a name that this process has put there.
  mutating func add(_ name: String, to folder: borrowing Folder) {
    folded.insert(Self.key(name))
    if let status = folder.descriptor.status() { changed = status.changed }
  }

  private static func key(_ name: String) -> Int { FileName.folded(name).hashValue }
}
