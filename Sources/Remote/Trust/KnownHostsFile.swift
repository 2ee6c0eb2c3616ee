import Core
import Foundation

/// The bytes of a file in OpenSSH's known_hosts format.
struct KnownHostsFile {
  /// What a line says of a host, and where it stands.
  struct Found {
    var place: FilePlace
    var statement: KnownHostsLine.Statement
  }

  /// The largest file that is read, in bytes.
  static let largest = 64 << 20

  let path: String
  let bytes: [UInt8]

  /// Takes a file's bytes.
  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  /// Reads a file; one that is missing is empty.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - isOwn: Whether it is ours: then nobody else may own it or write to it.
  /// - Throws: `PermissionDenied`; `StorageFailed` for what is no plain file, is too large or
  ///   cannot be read: trust that cannot be looked up is not there.
  init(reading path: String, isOwn: Bool = false) throws(Failure) {
    self.path = path
    let file: PlainFile
    do throws(PlainFile.Problem) {
      file = try PlainFile(path, atMost: Self.largest, followsLink: !isOwn)
    } catch {
      // That one is a usual value of UserKnownHostsFile, for none.
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

  /// The lines without their line feeds, the first one being line 1.
  var lines: [ArraySlice<UInt8>] {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// A line by its number, counted from 0; nil for one that says nothing.
  static func line(_ bytes: ArraySlice<UInt8>, number: Int) -> KnownHostsLine? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let isMarked = number == 0 && bytes.starts(with: mark)
    return KnownHostsLine(isMarked ? bytes.dropFirst(mark.count) : bytes, isMarked: isMarked)
  }

  /// What the file says of a name, from its first line to its last.
  func statements(on name: String) -> [Found] {
    let name = Array(name.utf8)
    return lines.enumerated().compactMap { number, line in
      Self.line(line, number: number)?.statement(on: name).map {
        Found(place: FilePlace(file: path, line: number + 1), statement: $0)
      }
    }
  }
}
