public import Core
import Foundation

/// Puts files into a folder under a name and a number, and never in the place of another.
public struct NumberedFiles {
  /// A folder has fewer files of one name.
  private static let mostNumbers = 100_000

  private let folder: String
  private let stem: String
  private var number = 0

  /// Names files by a text, such as what they show.
  ///
  /// - Parameters:
  ///   - folder: Where they go; it is made where there is none.
  ///   - text: What their names begin with, in as many of its words as fit.
  ///   - usual: What they begin with where nothing of the text can be a name.
  public init(into folder: String, named text: String, usual: String) {
    var folder = folder
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    self.folder = folder
    let words = FileName.plain(text, limit: 60).lowercased().split(whereSeparator: {
      " -".contains($0)
    })
    stem = words.isEmpty ? usual : words.joined(separator: "-")
  }

  /// Writes a file under the next number that is free, in one step and durably.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - suffix: What its name ends with, such as `.png`.
  /// - Returns: The record of the file.
  /// - Throws: `StorageFailed`.
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
