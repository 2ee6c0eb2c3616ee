public import Foundation

/// An open file, pipe end or socket; closed when the value is destroyed.
public struct Descriptor: ~Copyable, Sendable {
  /// The descriptor number; below 0 if the file could not be opened.
  public let number: Int32

  /// Creates the owner of the given descriptor.
  public init(_ number: Int32) { self.number = number }

  deinit {
    // Errors of close(2) are ignored, because data that must last was synchronized before.
    if number >= 0 { _ = Foundation.close(number) }
  }

  /// `true` if the descriptor is open.
  public var isOpen: Bool { number >= 0 }

  /// Closes the descriptor now.
  public consuming func close() {}

  /// Returns the number without closing it; the caller owns it from then on.
  public consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Reads at most `limit` bytes; on failure, returns nil with the reason in errno (read(2)).
  public func bytes(atMost limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var filled = 0
    while filled < limit {
      // The buffer grows step by step, because a file may be far smaller than the limit.
      if filled == bytes.count {
        bytes += [UInt8](repeating: 0, count: min(limit - filled, max(filled, 1 << 16)))
      }
      let count = bytes[filled...].withUnsafeMutableBytes { read(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { break }
      filled += count
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }

  /// Writes all the given bytes; on failure, returns `false` with the reason in errno (write(2)).
  public func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Returns the names in the open folder except `.` and `..`; on failure, returns nil with the
  /// reason in errno (readdir(3)).
  ///
  /// Names that are not UTF-8 are skipped, because none of our files has such a name.
  public func names() -> [String]? {
    // readdir(3) moves the file position, which a duplicated descriptor would share.
    let own = openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0 else { return nil }
    guard let folder = fdopendir(own) else {
      let reason = errno
      _ = Foundation.close(own)
      errno = reason
      return nil
    }
    defer { closedir(folder) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let name, name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    return errno == 0 ? names : nil
  }

  /// Returns the status of the open file; on failure, returns nil with the reason in errno
  /// (fstat(2)).
  public func status() -> stat? {
    var status = stat()
    return fstat(number, &status) == 0 ? status : nil
  }
}
