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
  /// The names by a number for what they fold to.
  private var names: [Int: String]
  /// The names that another one before them folds to.
  private var others: [Int: [String]] = [:]

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

  /// Whether nothing has changed in the folder since.
  func isOf(_ folder: borrowing Folder) -> Bool {
    guard let status = folder.descriptor.status() else { return false }
    return status.st_dev == device && status.st_ino == number
      && status.changed.tv_sec == changed.tv_sec && status.changed.tv_nsec == changed.tv_nsec
  }

  /// The names that fold to the same as this one, sorted by their bytes.
  func spellings(of name: String) -> [String] {
    let key = Self.key(name)
    guard let known = names[key] else { return [] }
    let folded = FileName.folded(name)
    return ([known] + (others[key] ?? [])).filter { FileName.folded($0) == folded }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Notes a name that this process has put there.
  mutating func add(_ name: String, to folder: borrowing Folder) {
    insert(name)
    if let status = folder.descriptor.status() { changed = status.changed }
  }

  private mutating func insert(_ name: String) {
    let key = Self.key(name)
    if let known = names[key] {
      // Text that is equal by Unicode's rules can be two names.
      let isKnown = ([known] + (others[key] ?? [])).contains { $0.utf8.elementsEqual(name.utf8) }
      if !isKnown { others[key, default: []].append(name) }
    } else {
      names[key] = name
    }
  }

  private static func key(_ name: String) -> Int { FileName.folded(name).hashValue }
}
