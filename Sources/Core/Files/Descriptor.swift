public import Foundation

/// An open file, a pipe's end, a socket: closed when the value goes away.
public struct Descriptor: ~Copyable, Sendable {
  /// The number, or below 0 for what could not be opened.
  public let number: Int32

  /// Owns what was opened.
  public init(_ number: Int32) { self.number = number }

  deinit {
    // Nothing that was written is lost by closing: what must last was synchronized before.
    if number >= 0 { _ = Foundation.close(number) }
  }

  /// Whether it was opened.
  public var isOpen: Bool { number >= 0 }

  /// Closes it now.
  public consuming func close() {}

  /// Gives it away: nobody but the taker closes it.
  public consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// The start of the file, or nil with the reason in errno (read(2)).
  public func bytes(atMost limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var filled = 0
    while filled < limit {
      // A file may be far smaller than what is allowed.
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

  /// Writes all the bytes; false with the reason in errno (write(2)).
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

  /// The names in an open folder but `.` and `..`, or nil with the reason in errno (readdir(3)).
  ///
  /// A name that is not UTF-8 is left out: none of ours is equal to it on any system.
  public func names() -> [String]? {
    // A descriptor of its own: readdir(3) moves the position that a duplicate shares.
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

  /// What the file system says of the open file, or nil with the reason in errno (fstat(2)).
  public func status() -> stat? {
    var status = stat()
    return fstat(number, &status) == 0 ? status : nil
  }
}
