import Core
import Foundation

/// The body of a response, in memory if it is small, otherwise in an unlinked file.
///
/// Many large bodies can therefore wait to be read without using memory. If no file can be created
/// or written, a large body stays in memory.
struct BodyBuffer: ~Copyable {
  /// The number of bytes received.
  private(set) var count = 0
  private var bytes: [UInt8] = []
  private var file: Int32 = -1
  /// `true` if the body must stay in memory, because no file can be used.
  private var staysInMemory = false

  /// The size, in bytes, above which a body is stored in a file.
  static let most = 1 << 20
  /// The first bytes of the body, which always stay in memory.
  var start: ArraySlice<UInt8> { bytes.prefix(4096) }

  init() {}

  deinit { if file >= 0 { _ = close(file) } }  // Nothing is kept that closing could lose.

  /// Reserves room for a body whose declared length is the given number of bytes.
  mutating func reserve(_ count: Int) {
    bytes.reserveCapacity(min(max(count, 0), Self.most))
  }

  /// Appends the given bytes to the body.
  ///
  /// - Throws: `StorageFailed` if the file can neither be written nor read back.
  mutating func append(_ piece: [UInt8]) throws(Failure) {
    count += piece.count
    if file < 0, !staysInMemory, bytes.count + piece.count > Self.most { file = Self.open() }
    if file >= 0, Self.write(piece, to: file, at: count - piece.count - bytes.count) { return }
    staysInMemory = staysInMemory || count > Self.most
    try reload()
    bytes.append(contentsOf: piece)
  }

  /// Returns the whole body and empties the buffer.
  ///
  /// - Throws: `StorageFailed` if the file cannot be read back.
  mutating func contents() throws(Failure) -> [UInt8] {
    try reload()
    count = 0
    defer { bytes = [] }
    return bytes
  }

  /// Reads the file back into memory, and closes the file.
  private mutating func reload() throws(Failure) {
    guard file >= 0 else { return }
    let (old, end) = (bytes.count, Int(lseek(file, 0, SEEK_END)))
    bytes.reserveCapacity(old + max(0, end))
    bytes.append(contentsOf: repeatElement(0, count: max(0, end)))
    var at = 0
    while at < end {
      let read = bytes.withUnsafeMutableBytes { buffer in
        pread(file, buffer.baseAddress.map { $0 + old + at }, end - at, off_t(at))
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { break }
      at += read
    }
    _ = close(file)  // What it held was read.
    file = -1
    guard at == end else {
      throw Failure(.storageFailed, "cannot read a response body back from disk")
    }
  }

  /// Opens an unlinked file that only its owner can access.
  ///
  /// - Returns: The file's descriptor; -1 if no file can be created.
  private static func open() -> Int32 {
    // On many systems /tmp is in memory, so it comes last.
    let folders = [ProcessInfo.processInfo.environment["TMPDIR"], "/var/tmp", "/tmp"]
    for folder in folders.compactMap(\.self) where !folder.isEmpty {
      var path = Array("\(folder)/agentpipes.XXXXXX".utf8CString)
      let file = mkstemp(&path)
      guard file >= 0 else { continue }
      // A command that is started before this call only holds the file open a little longer.
      _ = fcntl(file, F_SETFD, FD_CLOEXEC)
      // If the unlink fails, the file only occupies disk space.
      _ = unlink(path)
      return file
    }
    return -1
  }

  /// Writes all given bytes at the given offset.
  ///
  /// - Returns: `false` if they could not be written.
  private static func write(_ piece: [UInt8], to file: Int32, at offset: Int) -> Bool {
    var at = 0
    while at < piece.count {
      let written = piece.withUnsafeBytes { buffer in
        pwrite(file, buffer.baseAddress.map { $0 + at }, piece.count - at, off_t(offset + at))
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        // The disk is full: this part goes into memory with the rest.
        _ = ftruncate(file, off_t(offset))
        return false
      }
      at += written
    }
    return true
  }
}
