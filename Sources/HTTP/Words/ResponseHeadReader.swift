import Core

/// A reader that assembles the head of the final response from libcurl's header lines.
struct ResponseHeadReader {
  /// The status of the head that was read last.
  private(set) var status: Int?
  private var fields: [HTTPField] = []
  private var bytes = 0
  private var interimHeads = 0
  private var isAtStart = true

  /// The maximum number of bytes of all heads of a response together.
  ///
  /// libcurl's own limit of 300 kB applies to each head.
  static let maximumBytes = 300 << 10
  private static let maximumInterimHeads = 64

  /// Reads the given line, which includes its line end.
  ///
  /// - Returns: The head of the final response if the line ends it; otherwise nil.
  /// - Throws: `InvalidResponse` of kind `protocol` if the head is too large or ambiguous.
  mutating func read(_ line: UnsafeBufferPointer<UInt8>) throws(Failure) -> HTTPHead? {
    bytes += line.count
    guard bytes <= Self.maximumBytes else { throw malformed("its header is too large") }
    let text = line[..<(line.lastIndex { $0 != 0x0D && $0 != 0x0A }.map { $0 + 1 } ?? 0)]
    if text.isEmpty { return try endHead() }
    if isAtStart {
      isAtStart = false
      status = Self.status(of: text)
    } else if text.first == 0x20 || text.first == 0x09 {
      // Obsolete line folding, RFC 9112 section 5.2: the line continues the last value.
      guard let last = fields.indices.last else { return nil }
      fields[last].value += " " + Self.string(trim(text))
    } else if let colon = text.firstIndex(of: 0x3A) {
      fields.append(
        HTTPField(Self.string(trim(text[..<colon])), Self.string(trim(text[(colon + 1)...]))))
    }
    return nil
  }

  private mutating func endHead() throws(Failure) -> HTTPHead? {
    guard let status else { throw malformed("it has no status") }
    // No other protocol was requested, and HTTP has no status below 100.
    guard status >= 100, status != 101 else {
      throw malformed(status == 101 ? "it switches to another protocol" : "its status is invalid")
    }
    let head = HTTPHead(status: status, fields: fields)
    fields = []
    isAtStart = true
    guard status >= 200 else {
      interimHeads += 1
      guard interimHeads <= Self.maximumInterimHeads else {
        throw malformed("it has no final status")
      }
      return nil
    }
    // RFC 9112 section 6.3: with two lengths, the end of the body is ambiguous.
    guard Set(head.values("content-length")).count <= 1 else {
      throw malformed("it has two lengths")
    }
    return head
  }

  /// Returns the failure that reports a violation of the protocol for the given reason.
  func malformed(_ reason: String) -> Failure {
    Failure(
      .invalidResponse, "the response is malformed: \(reason)", kind: .`protocol`, status: status)
  }

  private static func status(of line: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    let digits = line.drop { $0 != 0x20 }.dropFirst().prefix { $0.isDigit }
    return digits.count == 3 ? digits.reduce(0) { $0 * 10 + Int($1) - 0x30 } : nil
  }

  private func trim(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<
    UnsafeBufferPointer<UInt8>
  > {
    let rest = text.drop { $0 == 0x20 || $0 == 0x09 }
    let end = rest.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? rest.startIndex
    return rest[rest.startIndex..<end]
  }

  /// Returns the given bytes as text.
  ///
  /// If they are not UTF-8, they are read as Latin-1. Older servers send Latin-1.
  private static func string(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
