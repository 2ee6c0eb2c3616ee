import Core
import Foundation

/// A body as it comes: in memory while it is small, else in a file without a name.
///
/// So many large bodies may wait for their turn to be read and take no memory. Where no file can be
/// made or written, they take it.
struct BodyBuffer: ~Copyable {
  /// How many bytes came.
  private(set) var count = 0
  private var bytes: [UInt8] = []
  private var file: Int32 = -1
  /// Whether no file could be had.
  private var staysInMemory = false

  /// Bytes from which on a body is kept in a file.
  static let most = 1 << 20
  /// The first bytes, which stay in memory.
  var start: ArraySlice<UInt8> { bytes.prefix(4096) }

  init() {}

  deinit { if file >= 0 { _ = close(file) } }  // Nothing is kept that closing could lose.

  /// Makes room for a body whose length was told.
  mutating func reserve(_ count: Int) {
    bytes.reserveCapacity(min(max(count, 0), Self.most))
  }

  /// Takes bytes in.
  ///
  /// - Throws: `StorageFailed` when a file that cannot be written on cannot be read again either.
  mutating func append(_ piece: [UInt8]) throws(Failure) {
    count += piece.count
    if file < 0, !staysInMemory, bytes.count + piece.count > Self.most { file = Self.open() }
    if file >= 0, Self.write(piece, to: file, at: count - piece.count - bytes.count) { return }
    staysInMemory = staysInMemory || count > Self.most
    try takeBack()
    bytes.append(contentsOf: piece)
  }

  /// All of the body; it is gone from here.
  ///
  /// - Throws: `StorageFailed` when a file cannot be read again.
  mutating func contents() throws(Failure) -> [UInt8] {
    try takeBack()
    count = 0
    defer { bytes = [] }
    return bytes
  }

  /// Reads what the file holds into memory and closes it.
  private mutating func takeBack() throws(Failure) {
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

  /// A file that has no name any more, for its owner alone; -1 where none can be made.
  private static func open() -> Int32 {
    // What lies in /tmp is in memory on many systems.
    let folders = [ProcessInfo.processInfo.environment["TMPDIR"], "/var/tmp", "/tmp"]
    for folder in folders.compactMap(\.self) where !folder.isEmpty {
      var path = Array("\(folder)/agentpipes.XXXXXX".utf8CString)
      let file = mkstemp(&path)
      guard file >= 0 else { continue }
      // A command that is started right now would merely hold it open a little longer.
      _ = fcntl(file, F_SETFD, FD_CLOEXEC)
      // A file that keeps its name is of no harm but to the disk.
      _ = unlink(path)
      return file
    }
    return -1
  }

  /// Writes all of some bytes; what was written of others is taken away.
  private static func write(_ piece: [UInt8], to file: Int32, at offset: Int) -> Bool {
    var at = 0
    while at < piece.count {
      let written = piece.withUnsafeBytes { buffer in
        pwrite(file, buffer.baseAddress.map { $0 + at }, piece.count - at, off_t(offset + at))
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        // A full disk: the part goes into memory with the rest.
        _ = ftruncate(file, off_t(offset))
        return false
      }
      at += written
    }
    return true
  }
}
