import Foundation

/// An open file, closed when the value goes away.
struct Descriptor: ~Copyable {
  /// The number, or below 0 for a file that could not be opened.
  let number: Int32

  deinit {
    if number >= 0 { close(number) }
  }

  /// The start of the file, or nil with the reason in errno (read(2)).
  func bytes(atMost limit: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: limit)
    var filled = 0
    while filled < limit {
      let count = bytes[filled...].withUnsafeMutableBytes { read(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { break }
      filled += count
    }
    return Array(bytes.prefix(filled))
  }

  /// Writes all the bytes; false with the reason in errno (write(2)).
  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
