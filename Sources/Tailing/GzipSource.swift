import CZ
import Core
import Events

/// An event source that reads a gzip file (RFC 1952), unpacked by zlib.
///
/// If the file has several gzip members, their contents follow each other.
final class GzipSource: EventSource {
  /// The first bytes of every gzip file.
  static let magic: [UInt8] = [0x1F, 0x8B]
  private static let chunk = 1 << 16

  var name: String { packed.name }
  private let packed: any EventSource
  private var stream = z_stream()
  private let input: UnsafeMutableRawBufferPointer
  private var isInMember = true
  /// `true` if zlib may hold more output, because the last buffer was filled.
  private var hasMore = false
  private var isAtEnd = false
  private var failure: Failure?

  /// Creates a source that unpacks the bytes of the given source.
  ///
  /// - Throws: `StorageFailed` if zlib runs out of memory.
  init(_ packed: any EventSource) throws(Failure) {
    self.packed = packed
    input = .allocate(byteCount: Self.chunk, alignment: 16)
    // The value 15 selects the largest window, and adding 16 selects gzip's header and checksum.
    let code = inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else {
      throw Failure(.storageFailed, "cannot unpack '\(packed.name)': zlib \(code)", input: name)
    }
  }

  deinit {
    inflateEnd(&stream)
    input.deallocate()
  }

  func isReady(within milliseconds: Int32) throws(Failure) -> Bool {
    guard failure == nil, !isAtEnd, !hasMore, stream.avail_in == 0 else { return true }
    return try packed.isReady(within: milliseconds)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    let room = min(buffer.count, Int(UInt32.max))
    stream.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.avail_out = UInt32(room)
    while Int(stream.avail_out) == room {
      if let failure { throw failure }
      guard !isAtEnd else { return 0 }
      if stream.avail_in == 0, !hasMore { try fill() }
      unpack()
    }
    return room - Int(stream.avail_out)
  }

  private func fill() throws(Failure) {
    let count = try packed.read(into: input)
    stream.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.avail_in = UInt32(count)
    guard count == 0 else { return }
    isAtEnd = true
    if isInMember { failure = bad("ends early") }
  }

  /// Unpacks the next bytes.
  ///
  /// A failure is thrown only after all output before it was read.
  private func unpack() {
    if !isInMember {
      guard stream.avail_in > 0, let next = stream.next_in else { return }
      // Some writers fill up the last block with zeros.
      guard next.pointee != 0 else {
        stream.next_in = next + 1
        stream.avail_in -= 1
        return
      }
      // Resetting an initialized stream cannot fail.
      _ = inflateReset(&stream)
      isInMember = true
    }
    let code = inflate(&stream, Z_NO_FLUSH)
    hasMore = code == Z_OK && stream.avail_out == 0
    switch code {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: isInMember = false
    default: failure = bad(stream.msg.map { "is damaged: \(String(cString: $0))" } ?? "is damaged")
    }
  }

  private func bad(_ what: String) -> Failure {
    Failure(.badInput, "the gzip data \(what)", input: name)
  }
}
