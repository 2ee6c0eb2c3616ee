public import Core
public import HTTP
import Reading

/// Fetches pages and reads them.
///
///     let fetcher = PageFetcher(client: HTTPClient(), options: FetchOptions(userAgent: "…"))
///     let page = try await fetcher.fetch(url: "https://example.org/")
public struct PageFetcher: Sendable {
  /// How pages are fetched and read.
  public let options: FetchOptions
  let client: HTTPClient

  /// Creates a fetcher over a client, whose connections it shares.
  public init(client: HTTPClient, options: FetchOptions) {
    self.client = client
    self.options = options
  }

  /// Fetches a page over http or https, follows its redirects, and reads it.
  ///
  /// A body that is cut on its way gives what there is, with `partial` and the failure in `error`.
  ///
  /// - Parameter url: An absolute URL.
  /// - Returns: The page's text and what is known about it.
  /// - Throws: ``Failure`` with the URL asked for, the status where one was answered, and a kind:
  ///   `badURL`, `blockedScheme`, `blockedPort`, `blockedAddress`, `tooManyRedirects`,
  ///   `unsupportedType`, `tooLarge`, or one of the HTTP client's.
  public func fetch(url: String) async throws(Failure) -> Page {
    let asked = try PageAddress(url)
    do {
      let answer = try await follow(asked)
      return try await page(of: answer, asked: url)
    } catch {
      var failure = error
      failure.url = url
      throw failure
    }
  }

  private func page(of answer: Answer, asked: String) async throws(Failure) -> Page {
    let type = answer.head.mediaType
    let kind = DocumentKind.of(answer.body, type: type)
    let started = ContinuousClock.now
    var page = try await read(
      answer.body, kind, url: answer.address.text, contentType: answer.head.value("content-type"))
    page.url = asked
    page.finalURL = answer.address.text
    page.redirects = answer.redirects.isEmpty ? nil : answer.redirects
    page.status = answer.head.status
    page.contentType = type ?? kind.mediaType
    page.partial = answer.failure != nil
    page.error = answer.failure
    page.fromCache = false
    page.timing = PageTiming(
      nameLookupMs: answer.timing?.nameLookupMs, connectMs: answer.timing?.connectMs,
      firstByteMs: answer.timing?.firstByteMs, totalMs: answer.timing?.totalMs,
      extractMs: milliseconds(since: started))
    return page
  }

  /// Reads a body of a known kind into a page.
  func read(
    _ body: [UInt8], _ kind: DocumentKind, url: String, contentType: String?
  ) async throws(Failure) -> Page {
    var reading = options.reading
    reading.baseURL = url
    reading.contentType = contentType
    let read: ReadPage
    switch kind {
    case .html: read = try Reader.read(html: body, options: reading)
    case .text: read = try Reader.read(text: body, options: reading)
    case .markdown: read = try Reader.read(markdown: body, options: reading)
    case .feed: read = try Reader.read(feed: body, options: reading)
    case .pdf:
      let text = try await PDFText.read(
        body, seconds: reading.deadlineSeconds, limit: options.maximumDecodedBytes, url: url)
      reading.contentType = "text/plain; charset=utf-8"
      read = try Reader.read(text: text, options: reading)
    case .unsupported(let type): throw .unsupportedType(type, bytes: body.count, url: url)
    }
    return Page(
      url: url, charset: read.charset, title: read.title, author: read.author,
      publishedAt: read.publishedAt, modifiedAt: read.modifiedAt, language: read.language,
      siteName: read.siteName, canonicalURL: read.canonicalURL, description: read.description,
      pageType: read.pageType?.rawValue, emptyReason: read.emptyReason?.rawValue,
      text: reading.format == .markdown ? nil : read.text,
      markdown: reading.format == .text ? nil : read.markdown, characters: read.characters,
      totalCharacters: read.totalCharacters, truncated: read.truncated, bytes: body.count,
      sha256: SHA256Digest.hexadecimal(body),
      hidden: read.hidden, removed: read.removed, links: read.links, fetchedAt: .now)
  }

  private func milliseconds(since start: ContinuousClock.Instant) -> Double {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds) * 1000 + Double(attoseconds / 1_000_000_000_000) / 1000
  }
}

extension HTTPHead {
  /// The media type without its parameters, in lower case.
  var mediaType: String? {
    guard let value = value("content-type") else { return nil }
    let type = value.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
    return type.isEmpty ? nil : Visible.line(String(type.prefix(100)))
  }
}

extension Failure {
  /// A body that is nothing to read.
  static func unsupportedType(_ type: String, bytes: Int?, url: String) -> Failure {
    let size = bytes.map { "\($0) bytes" } ?? "of unknown size"
    return Failure(
      .pageRefused, "'\(shownURL(url))' is \(type), \(size), which has no text to read",
      kind: "unsupportedType", url: url)
  }
}
