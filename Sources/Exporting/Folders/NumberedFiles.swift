public import Core
import Foundation

/// A writer of files with numbered names in one folder.
///
/// It never replaces a file.
public struct NumberedFiles {
  /// The maximum number in a name.
  private static let mostNumbers = 100_000

  private let folder: String
  private let stem: String
  private var number = 0

  /// Creates a writer of files that are named after the given text, such as their subject.
  ///
  /// - Parameters:
  ///   - folder: The folder. It is created if it is missing.
  ///   - text: The text with which the names begin. It is shortened if it is too long.
  ///   - usual: The text to use instead if `text` has no characters that names may contain.
  public init(into folder: String, named text: String, usual: String) {
    var folder = folder
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    self.folder = folder
    let words = FileName.plain(text, limit: 60).lowercased().split(whereSeparator: {
      " -".contains($0)
    })
    stem = words.isEmpty ? usual : words.joined(separator: "-")
  }

  /// Writes a file with the next free number in its name, atomically and durably.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - suffix: The end of the name, such as `.png`.
  /// - Returns: The record of the file.
  /// - Throws: `StorageFailed` if the file cannot be written.
  public mutating func write(_ bytes: [UInt8], suffix: String) throws(Failure) -> FileRecord {
    guard let opened = try Folder.base(folder, isMade: true) else {
      throw Failure(.storageFailed, "there is no folder '\(folder)'", input: folder)
    }
    while number < Self.mostNumbers {
      number += 1
      let name = FileName.whole("\(stem)-\(number)", extension: suffix)
      guard try opened.place(bytes, as: name, replacing: nil) else { continue }
      return FileRecord(
        path: Folder.joined(folder, name), status: .created, bytes: bytes.count,
        sha256: SHA256Digest.hexadecimal(bytes))
    }
    throw Failure(
      .storageFailed, "'\(folder)' has too many files named '\(stem)'", input: folder)
  }
}
