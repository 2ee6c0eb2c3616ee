public import Core

/// A parser of a `text/event-stream` whose bytes arrive in chunks of any size.
///
/// The parser follows the HTML standard, section 9.2.6, "Interpreting an event stream". An
/// incomplete event at the end of the stream is dropped.
public struct ServerSentEventParser: Sendable {
  /// The id of the last finished event.
  ///
  /// A client sends it as `Last-Event-ID` when it reconnects.
  public private(set) var lastEventID = ""
  /// The reconnection time in milliseconds; nil if the stream has not set one yet.
  public private(set) var retryMilliseconds: Int?

  private let maximumEventBytes: Int
  private var line: [UInt8] = []
  private var data: [UInt8] = []
  private var type: [UInt8] = []
  private var pendingID: String?
  private var skipsLineFeed = false
  private var marksToMatch = byteOrderMark[...]

  /// Creates a parser with the given maximum size of an event.
  public init(maximumEventBytes: Int = 16 << 20) {
    self.maximumEventBytes = max(maximumEventBytes, 0)
  }

  /// Reads the given bytes, and returns the events that end in them.
  ///
  /// - Throws: `InvalidResponse` of kind `tooLarge` if an event exceeds the maximum size. The
  ///   stream cannot be used after that.
  public mutating func push(_ bytes: some Collection<UInt8>) throws(Failure) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    let fits: Bool? = bytes.withContiguousStorageIfAvailable { read($0, into: &events) }
    guard fits ?? Array(bytes).withUnsafeBufferPointer({ read($0, into: &events) }) else {
      throw Failure(
        .invalidResponse, "an event of the stream is larger than \(maximumEventBytes) bytes",
        kind: .tooLarge)
    }
    return events
  }

  /// Reads the given bytes.
  ///
  /// - Returns: `false` if an event exceeds the maximum size.
  private mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>, into events: inout [ServerSentEvent]
  ) -> Bool {
    var start = skipByteOrderMark(bytes)
    while start < bytes.count {
      if skipsLineFeed {
        skipsLineFeed = false
        if bytes[start] == 0x0A {
          start += 1
          continue
        }
      }
      var end = start
      while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
      let piece = UnsafeBufferPointer(rebasing: bytes[start..<end])
      guard line.count + piece.count + data.count + type.count <= maximumEventBytes else {
        return false
      }
      guard end < bytes.count else {
        // Only the first byte of a comment is stored, because comments serve as keep-alive and may
        // be endless.
        if line.first != 0x3A { line.append(contentsOf: piece) }
        return true
      }
      skipsLineFeed = bytes[end] == 0x0D
      if line.isEmpty {
        process(piece, into: &events)
      } else {
        line.append(contentsOf: piece)
        let whole = line
        line.removeAll(keepingCapacity: line.count < 1 << 16)
        whole.withUnsafeBufferPointer { process($0, into: &events) }
      }
      start = end + 1
    }
    return true
  }

  /// Returns the index after the byte order mark at the start of the stream, if there is one.
  ///
  /// The mark may span several chunks.
  private mutating func skipByteOrderMark(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var index = 0
    while let expected = marksToMatch.first, index < bytes.count {
      guard bytes[index] == expected else {
        // The bytes that looked like a mark were text.
        line.append(contentsOf: byteOrderMark.prefix(3 - marksToMatch.count))
        marksToMatch = []
        return index
      }
      marksToMatch.removeFirst()
      index += 1
    }
    return index
  }

  private mutating func process(
    _ line: UnsafeBufferPointer<UInt8>, into events: inout [ServerSentEvent]
  ) {
    guard let first = line.first else { return dispatch(into: &events) }
    guard first != 0x3A else { return }
    let colon = line.firstIndex(of: 0x3A) ?? line.count
    let name = line[..<colon]
    var value = line[min(colon + 1, line.count)...]
    if value.first == 0x20 { value = value.dropFirst() }
    if name.elementsEqual("data".utf8) {
      data.append(contentsOf: value)
      data.append(0x0A)
    } else if name.elementsEqual("event".utf8) {
      type = Array(value)
    } else if name.elementsEqual("id".utf8) {
      if !value.contains(0) { pendingID = String(decoding: value, as: UTF8.self) }
    } else if name.elementsEqual("retry".utf8) {
      if !value.isEmpty, value.allSatisfy({ $0.isDigit }) {
        // A number with too many digits is ignored, and the earlier time remains.
        retryMilliseconds = Int(String(decoding: value, as: UTF8.self)) ?? retryMilliseconds
      }
    }
  }

  private mutating func dispatch(into events: inout [ServerSentEvent]) {
    if let id = pendingID {
      lastEventID = id
      pendingID = nil
    }
    defer {
      data.removeAll(keepingCapacity: data.count < 1 << 16)
      type.removeAll()
    }
    guard !data.isEmpty else { return }
    events.append(
      ServerSentEvent(
        event: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self),
        data: String(decoding: data.dropLast(), as: UTF8.self),
        id: lastEventID, retry: retryMilliseconds))
  }
}

private let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
