public import Foundation

/// An open file, pipe end or socket, which is closed when the value is destroyed.
public struct Descriptor: ~Copyable, Sendable {
  /// The descriptor's number; below 0 if the file could not be opened.
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

  /// Returns the descriptor's number without closing the descriptor, which the caller then owns.
  public consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Reads at most `limit` bytes (read(2)).
  ///
  /// - Returns: The bytes; nil on failure, with the reason in errno.
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

  /// Writes all the given bytes (write(2)).
  ///
  /// - Returns: `true` on success; `false` on failure, with the reason in errno.
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

  /// Returns the names in the folder at the given path; see ``names()``.
  public static func names(in folder: String) -> [String]? {
    let opened = Descriptor(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    return opened.isOpen ? opened.names() : nil
  }

  /// Returns the names in the open folder, except `.` and `..` (readdir(3)).
  ///
  /// Names that are not UTF-8 are skipped, because none of the project's files has such a name.
  ///
  /// - Returns: The names; nil on failure, with the reason in errno.
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

  /// Returns the status of the open file (fstat(2)).
  ///
  /// - Returns: The status; nil on failure, with the reason in errno.
  public func status() -> stat? {
    var status = stat()
    return fstat(number, &status) == 0 ? status : nil
  }
}
