import Core
import Foundation

/// A file in OpenSSH's known_hosts format.
struct KnownHostsFile {
  /// A statement about a host, and the line that contains it.
  struct Found {
    var place: FilePlace
    var statement: KnownHostsLine.Statement
  }

  /// The maximum size of a file, in bytes.
  static let largest = 64 << 20

  let path: String
  let bytes: [UInt8]

  /// Creates a file from the given contents.
  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  /// Reads the file at the given path.
  ///
  /// A missing file counts as empty.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - isOwn: `true` for our own file, which no other user may own or write.
  /// - Throws: `PermissionDenied` if another user owns or may write our own file; `StorageFailed`
  ///   if the file is not regular, is too large or cannot be read.
  init(reading path: String, isOwn: Bool = false) throws(Failure) {
    self.path = path
    let file: PlainFile
    do throws(PlainFile.Problem) {
      file = try PlainFile(path, atMost: Self.largest, followsLink: !isOwn)
    } catch {
      // `UserKnownHostsFile /dev/null` is a common way to name no file.
      guard error == .missing || path == "/dev/null" && error == .notPlain else {
        let shown = Visible.text(path)
        throw Failure(
          error.isDenied ? .permissionDenied : .storageFailed,
          "cannot read '\(shown)': \(error.reason)", input: shown)
      }
      bytes = []
      return
    }
    guard !isOwn || file.isOurs(closedFor: 0o022) else {
      throw Failure(
        .permissionDenied,
        "'\(Visible.text(path))' must belong to you and be writable by you alone",
        kind: .unsafeMode, input: Visible.text(path), nextStep: "change its owner or mode")
    }
    bytes = file.bytes
  }

  /// The lines without their line feeds.
  ///
  /// The first line has the number 1.
  var lines: [ArraySlice<UInt8>] {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// Parses the given line; returns nil if it has no entry.
  ///
  /// `number` is counted from 0.
  static func line(_ bytes: ArraySlice<UInt8>, number: Int) -> KnownHostsLine? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let isMarked = number == 0 && bytes.starts(with: mark)
    return KnownHostsLine(isMarked ? bytes.dropFirst(mark.count) : bytes, isMarked: isMarked)
  }

  /// Returns the file's statements about the host with the given name, in order.
  ///
  /// - Throws: As `HashedName.matches(_:_:)`.
  func statements(on name: String) throws(Failure) -> [Found] {
    let name = Array(name.utf8)
    var found: [Found] = []
    for (number, line) in lines.enumerated() {
      guard let statement = try Self.line(line, number: number)?.statement(on: name) else {
        continue
      }
      found.append(Found(place: FilePlace(file: path, line: number + 1), statement: statement))
    }
    return found
  }
}
