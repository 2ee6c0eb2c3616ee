public import Core
import Foundation

/// A folder for the files of chats.
///
/// Existing files are never overwritten.
public struct AttachmentFolder: Sendable {
  private let path: String
  /// The number of alternative names that are tried if a file's name is taken.
  private static let attempts = 1000

  /// Creates the folder unless it exists.
  ///
  /// - Throws: `StorageFailed` if the folder cannot be created.
  public init(_ path: String) throws(Failure) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    try Directories.make(path)
  }

  /// Writes the given file unless the folder already has a file with the same name and content.
  ///
  /// - Parameters:
  ///   - file: The description of the file.
  ///   - content: The bytes of the file.
  /// - Returns: The record of the file, with its path.
  /// - Throws: `StorageFailed` if the file cannot be written.
  public func write(_ file: AttachedFile, _ content: [UInt8]) throws(Failure) -> FileRecord {
    let name = Self.name(file)
    for attempt in 1...Self.attempts {
      let path = "\(path)/\(Self.numbered(name, attempt))"
      let opened = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      if opened < 0, errno == EEXIST {
        let known = try? PlainFile(path, atMost: content.count + 1, followsLink: false)
        guard known?.bytes == content else { continue }
        return record(file, path, .unchanged)
      }
      guard opened >= 0 else { throw Self.failed(path) }
      let handle = FileHandle(fileDescriptor: opened, closeOnDealloc: true)
      do {
        try handle.write(contentsOf: Data(content))
        try handle.synchronize()
      } catch {
        let failure = Self.failed(path)
        unlink(path)
        throw failure
      }
      return record(file, path, .created)
    }
    throw Failure(
      .storageFailed, "cannot write '\(name)' in '\(path)': all numbered names are taken",
      input: path)
  }

  private func record(_ file: AttachedFile, _ path: String, _ status: FileStatus) -> FileRecord {
    FileRecord(path: path, status: status, bytes: file.bytes, sha256: file.sha256)
  }

  /// Returns the file's name without folders, invisible characters and leading dots.
  private static func name(_ file: AttachedFile) -> String {
    let last = file.name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    let seen = Visible.line(String(last)).drop { $0 == "." || $0 == "-" }
    let name = String(seen).precomposedStringWithCanonicalMapping
    guard !name.isEmpty else { return "file-" + file.sha256.prefix(8).filter(\.isHexDigit) }
    guard name.utf8.count > 120 else { return name }
    let suffix = (name as NSString).pathExtension
    return String(name.prefix(30)) + (suffix.utf8.count > 20 ? "" : "." + suffix)
  }

  private static func numbered(_ name: String, _ number: Int) -> String {
    guard number > 1 else { return name }
    let (stem, suffix) = (
      (name as NSString).deletingPathExtension, (name as NSString).pathExtension
    )
    return "\(stem)-\(number)" + (suffix.isEmpty ? "" : ".\(suffix)")
  }

  private static func failed(_ path: String) -> Failure {
    Failure(
      .storageFailed, "cannot write '\(path)': \(String(cString: strerror(errno)))", input: path)
  }
}
