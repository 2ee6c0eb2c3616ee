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
    // O_NONBLOCK, or a named pipe would keep us waiting for its writer.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (isOwn ? O_NOFOLLOW : 0)
    let descriptor = open(path, flags)
    guard descriptor >= 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw Self.failed(path, errno) }
      bytes = []
      return
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failed(path, errno) }
    // A usual value of UserKnownHostsFile, for none.
    if path == "/dev/null", status.st_mode & S_IFMT == S_IFCHR {
      bytes = []
      return
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Self.failed(path, "it is not a plain file")
    }
    if isOwn, status.st_uid != geteuid() || status.st_mode & 0o022 != 0 {
      throw Failure(
        .permissionDenied,
        "'\(Visible.text(path))' must belong to you and be writable by you alone",
        kind: "unsafeMode", input: Visible.text(path))
    }
    do {
      bytes = Array(try handle.read(upToCount: Self.largest + 1) ?? Data())
    } catch {
      throw Self.failed(path, EIO)
    }
    guard bytes.count <= Self.largest else { throw Self.failed(path, "it is larger than 64 MiB") }
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

  private static func failed(_ path: String, _ number: Int32) -> Failure {
    let isDenied = number == EACCES || number == EPERM
    return failed(
      path, String(cString: strerror(number)), isDenied ? .permissionDenied : .storageFailed)
  }

  private static func failed(
    _ path: String, _ reason: String, _ code: FailureCode = .storageFailed
  ) -> Failure {
    let shown = Visible.text(path)
    return Failure(code, "cannot read '\(shown)': \(reason)", input: shown)
  }
}
