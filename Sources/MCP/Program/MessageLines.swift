/// The lines of a stream of bytes, with memory bounded by the longest line.
struct MessageLines {
  private let limit: Int
  private var line: [UInt8] = []

  /// Creates an empty line.
  ///
  /// - Parameter limit: The maximum length of a line in bytes.
  init(limit: Int) { self.limit = limit }

  /// Appends bytes, and passes each line that is complete and not blank.
  ///
  /// - Returns: `false` if a line is over the limit; no further bytes may be appended.
  mutating func take(_ bytes: ArraySlice<UInt8>, _ pass: ([UInt8]) -> Void) -> Bool {
    var rest = bytes
    while let end = rest.firstIndex(of: 0x0A) {
      line += rest[..<end]
      guard line.count <= limit else { return false }
      if line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) { pass(line) }
      line.removeAll(keepingCapacity: line.capacity <= 1 << 16)
      rest = rest[(end + 1)...]
    }
    line += rest
    return line.count <= limit
  }
}
