/// A watch of the last bytes of a gzip body, which state the body's decoded length.
///
/// libcurl 7.88 accepts a truncated gzip stream if the body is complete by its framing. The last
/// four bytes of a complete stream are its decoded length (RFC 1952, section 2.3.1).
struct GzipEnd {
  private var last: [UInt8] = []
  private var chunks: ChunkReader?
  private static let trailerBytes = 8

  /// Creates a watch of the body after the given head; nil unless gzip is the only coding.
  init?(_ head: HTTPHead) {
    let encodings = head.values("content-encoding").map { $0.lowercased() }
    guard encodings == ["gzip"] || encodings == ["x-gzip"] else { return nil }
    let transfer = head.values("transfer-encoding").map { $0.lowercased() }
    guard transfer.isEmpty || transfer == ["chunked"] else { return nil }
    chunks = transfer.isEmpty ? nil : ChunkReader()
  }

  /// Receives the next encoded bytes, and removes chunked framing from them.
  mutating func receive(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard chunks != nil else { return append(bytes[...]) }
    var rest = bytes[...]
    while let piece = chunks?.next(in: &rest) { append(piece) }
  }

  private mutating func append(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    last += bytes.suffix(Self.trailerBytes)
    if last.count > Self.trailerBytes { last.removeFirst(last.count - Self.trailerBytes) }
  }

  /// Returns `true` if the gzip stream is truncated.
  ///
  /// It was decoded to `count` bytes.
  func isCut(afterDecoding count: Int) -> Bool {
    // An empty body that was decoded to nothing is correct.
    guard !last.isEmpty || count > 0 else { return false }
    guard last.count == Self.trailerBytes else { return true }
    let length = last.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return length != UInt32(truncatingIfNeeded: count)
  }
}

/// A reader that removes chunked framing from a body (RFC 9112, section 7.1).
///
/// Malformed framing is ignored here, because libcurl reports it.
private struct ChunkReader {
  private enum State { case size, extensions, data, end, trailers }

  private var state = State.size
  private var left = 0

  /// Returns the next sequence of data bytes; nil at the end of the input.
  mutating func next(
    in rest: inout Slice<UnsafeBufferPointer<UInt8>>
  ) -> Slice<UnsafeBufferPointer<UInt8>>? {
    while let byte = rest.first {
      if state == .data {
        let piece = rest.prefix(left)
        rest = rest.dropFirst(piece.count)
        left -= piece.count
        if left == 0 { state = .end }
        return piece
      }
      rest = rest.dropFirst()
      switch state {
      case .size:
        if let digit = Character(Unicode.Scalar(byte)).hexDigitValue, left < 1 << 40 {
          left = left << 4 | digit
        } else if byte == 0x0A {
          state = left > 0 ? .data : .trailers
        } else {
          state = .extensions
        }
      case .extensions: if byte == 0x0A { state = left > 0 ? .data : .trailers }
      case .end: if byte == 0x0A { state = .size }
      case .data, .trailers: break
      }
    }
    return nil
  }
}
