import Core
import HTTP
import Reading

/// A reader that converts fetched bodies and files to pages.
public struct PageReader: Sendable {
  /// The options for reading documents.
  let options: FetchOptions
  let memory: MemoryBudget

  /// Creates a reader with the given options.
  ///
  /// It reads as many documents in parallel as memory allows.
  public init(_ options: FetchOptions) {
    self.options = options
    memory = MemoryBudget(capacity: options.memoryBytes)
  }

  /// Waits until there is enough memory to read a document of `count` bytes.
  ///
  /// `start` contains the first bytes of the document.
  ///
  /// - Throws: `Interrupted` if the calling task is cancelled.
  func reserve(
    _ count: Int, start: some Sequence<UInt8>
  ) async throws(Failure) -> MemoryBudget.Reservation {
    let reservation = await memory.reserve(MemoryBudget.need(of: count, start: start))
    guard !Task.isCancelled else {
      throw Failure(.interrupted, "the page was cancelled before it was read")
    }
    return reservation
  }

  /// Reads the given body of the given kind as a page.
  func read(
    _ body: [UInt8], _ kind: DocumentKind, url: String, contentType: String?
  ) async throws(Failure) -> Page {
    var reading = options.reading
    reading.baseURL = url
    reading.contentType = contentType
    var origin = PageOrigin(url: url)
    let facts: PageFacts
    switch kind {
    case .pdf:
      let text = try await PDFText.read(
        body, seconds: reading.deadlineSeconds, limit: options.maximumDecodedBytes, url: url)
      reading.contentType = "text/plain; charset=utf-8"
      facts = try Reader.read(text, as: .text, options: reading)
    case .unsupported(let type): throw .unsupportedType(type, bytes: body.count, url: url)
    default: facts = try Reader.read(body, as: kind, options: reading)
    }
    origin.contentType = kind.mediaType
    origin.bytes = body.count
    origin.sha256 = SHA256Digest.hexadecimal(body)
    origin.fetchedAt = .now
    return Page(origin, facts)
  }
}

extension Failure {
  /// Returns the failure that a body of the given type has no readable text.
  static func unsupportedType(_ type: String, bytes: Int?, url: String) -> Failure {
    let size = bytes.map { "\($0) bytes" } ?? "of unknown size"
    return Failure(
      .pageRefused, "'\(shownURL(url))' is \(type), \(size), which has no text to read",
      kind: .unsupportedType, url: url)
  }
}
