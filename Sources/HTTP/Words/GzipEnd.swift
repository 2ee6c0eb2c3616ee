/// The last bytes of a gzip body as it came over the network, which tell its decoded length.
///
/// libcurl 7.88 takes a gzip stream that ends early for a whole one, as long as the body is complete by
/// its framing. The last four bytes of a whole stream are its decoded length (RFC 1952 section 2.3.1).
struct GzipEnd {
  private var last: [UInt8] = []
  private var chunks: ChunkReader?
  private static let trailerBytes = 8

  /// Watches a body of this head, if that is gzip and nothing else.
  init?(_ head: HTTPHead) {
    let encodings = head.values("content-encoding").map { $0.lowercased() }
    guard encodings == ["gzip"] || encodings == ["x-gzip"] else { return nil }
    let transfer = head.values("transfer-encoding").map { $0.lowercased() }
    guard transfer.isEmpty || transfer == ["chunked"] else { return nil }
    chunks = transfer.isEmpty ? nil : ChunkReader()
  }

  /// Keeps the end of what came so far; chunks are taken out of their framing.
  mutating func receive(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard chunks != nil else { return keep(bytes[...]) }
    var rest = bytes[...]
    while let piece = chunks?.next(in: &rest) { keep(piece) }
  }

  private mutating func keep(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    last += bytes.suffix(Self.trailerBytes)
    if last.count > Self.trailerBytes { last.removeFirst(last.count - Self.trailerBytes) }
  }

  /// Whether the stream's end is missing.
  func isCut(afterDecoding count: Int) -> Bool {
    // A body of no bytes decodes to nothing, which is what it says.
    guard !last.isEmpty || count > 0 else { return false }
    guard last.count == Self.trailerBytes else { return true }
    let length = last.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return length != UInt32(truncatingIfNeeded: count)
  }
}

/// Takes chunked framing (RFC 9112 section 7.1) off a body that libcurl checks at the same time: what is
/// malformed here has failed there.
private struct ChunkReader {
  private enum State { case size, extensions, data, end, trailers }

  private var state = State.size
  private var left = 0

  /// The next run of data bytes, or nil when all were looked at.
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
