import Core
import Foundation

/// The names in a folder.
///
/// The list is valid until another process changes the folder. It can find names that a
/// case-insensitive file system considers equal.
struct Listing {
  private let device: dev_t
  private let number: ino_t
  private var changed: timespec
  /// The first name found for each hash of a case-folded name.
  private var names: [Int: String]
  /// The further names for each hash of a case-folded name.
  private var others: [Int: [String]] = [:]

  /// `true` if temporary files left behind by killed runs have been removed.
  let isSwept: Bool

  /// Reads the names of an open folder.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - isLocked: `true` if the folder is locked against other runs. Temporary files are then
  ///     removed.
  /// - Throws: `StorageFailed` if the folder cannot be read.
  init(_ folder: borrowing Folder, isLocked: Bool) throws(Failure) {
    // The status is read first, so that a change during the reading of names invalidates the
    // listing.
    var status = folder.descriptor.status()
    var found = try folder.names()
    if isLocked, try folder.sweep(found) {
      status = folder.descriptor.status()
      found = try folder.names()
    }
    device = status?.st_dev ?? 0
    number = status?.st_ino ?? 0
    changed = status?.changed ?? timespec()
    self.names = Dictionary(minimumCapacity: found.count)
    isSwept = isLocked
    for name in found { insert(name) }
  }

  /// Returns `true` if the names are those of the given folder, which has not changed since.
  func isOf(_ folder: borrowing Folder) -> Bool {
    guard let status = folder.descriptor.status() else { return false }
    return status.st_dev == device && status.st_ino == number
      && status.changed.tv_sec == changed.tv_sec && status.changed.tv_nsec == changed.tv_nsec
  }

  /// Returns the names that equal the given name after case folding, sorted by their bytes.
  func spellings(of name: String) -> [String] {
    let key = Self.key(name)
    guard let known = names[key] else { return [] }
    let folded = FileName.folded(name)
    return ([known] + (others[key] ?? [])).filter { FileName.folded($0) == folded }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Adds the given name of an entry that this process created in the folder.
  mutating func add(_ name: String, to folder: borrowing Folder) {
    insert(name)
    if let status = folder.descriptor.status() { changed = status.changed }
  }

  private mutating func insert(_ name: String) {
    let key = Self.key(name)
    if let known = names[key] {
      // Names that are canonically equivalent in Unicode can be different names.
      let isKnown = ([known] + (others[key] ?? [])).contains { $0.utf8.elementsEqual(name.utf8) }
      if !isKnown { others[key, default: []].append(name) }
    } else {
      names[key] = name
    }
  }

  private static func key(_ name: String) -> Int { FileName.folded(name).hashValue }
}
