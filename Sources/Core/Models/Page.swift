/// A page's text and what is known about it.
///
/// Characters are Unicode scalars.
public struct Page: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "page"

  /// The address asked for; of a file, its `file://` form.
  public var url: String
  /// The file it was read from, as it was named.
  public var path: String?
  /// The project its file goes to.
  public var project: String?
  /// The address that answered.
  public var finalURL: String?
  /// The addresses in between.
  public var redirects: [String]?
  /// Whether a redirect led from https to http.
  public var downgraded: Bool?
  /// `ignored` when robots.txt was not asked though the address came from a list.
  public var robots: String?
  /// The HTTP status.
  public var status: Int?
  /// The media type, without parameters.
  public var contentType: String?
  /// The encoding that the text was read in.
  public var charset: String?
  /// The page's title.
  public var title: String?
  /// Who wrote it.
  public var author: String?
  /// When it was published, as the page says it.
  public var publishedAt: String?
  /// When it was changed, as the page says it.
  public var modifiedAt: String?
  /// Its language, a BCP 47 tag.
  public var language: String?
  /// The site's name.
  public var siteName: String?
  /// The address the page names as its own.
  public var canonicalURL: String?
  /// The page's summary of itself.
  public var description: String?
  /// What kind of page it is.
  public var pageType: String?
  /// Why there is no text.
  public var emptyReason: String?
  /// The content without marks.
  public var text: String?
  /// The content as Markdown.
  public var markdown: String?
  /// The length of the text given.
  public var characters: Int?
  /// The length of the whole text.
  public var totalCharacters: Int?
  /// Whether the text was cut.
  public var truncated: Bool?
  /// The decoded body's size.
  public var bytes: Int?
  /// The SHA-256 of the decoded body, in hexadecimal.
  public var sha256: String?
  /// How many hidden passages were left out.
  public var hidden: Int?
  /// How many control, bidi, zero-width and tag characters were removed.
  public var removed: Int?
  /// Whether the body was cut on its way.
  public var partial: Bool?
  /// The links of the content.
  public var links: [PageLink]?
  /// When it was read.
  public var fetchedAt: Timestamp?
  /// Whether it came from the cache.
  public var fromCache: Bool?
  /// How long its parts took.
  public var timing: PageTiming?
  /// Why the body is partial.
  public var error: Failure?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case url, path, project, finalURL, redirects, downgraded, robots, status, contentType, charset,
      title, author, publishedAt, modifiedAt, language, siteName, canonicalURL, description,
      pageType,
      emptyReason, text, markdown, characters, totalCharacters, truncated, bytes, sha256,
      hidden, removed, partial, links, fetchedAt, fromCache, timing, error, labels
  }

  /// Creates the record.
  public init(
    url: String, path: String? = nil, project: String? = nil, finalURL: String? = nil,
    redirects: [String]? = nil, downgraded: Bool? = nil, robots: String? = nil,
    status: Int? = nil, contentType: String? = nil, charset: String? = nil, title: String? = nil,
    author: String? = nil,
    publishedAt: String? = nil, modifiedAt: String? = nil, language: String? = nil,
    siteName: String? = nil, canonicalURL: String? = nil, description: String? = nil,
    pageType: String? = nil, emptyReason: String? = nil, text: String? = nil,
    markdown: String? = nil, characters: Int? = nil, totalCharacters: Int? = nil,
    truncated: Bool? = nil, bytes: Int? = nil, sha256: String? = nil, hidden: Int? = nil,
    removed: Int? = nil, partial: Bool? = nil, links: [PageLink]? = nil,
    fetchedAt: Timestamp? = nil, fromCache: Bool? = nil, timing: PageTiming? = nil,
    error: Failure? = nil, labels: [String: String]? = nil
  ) {
    self.url = url
    self.path = path
    self.project = project
    self.finalURL = finalURL
    self.redirects = redirects
    self.downgraded = downgraded
    self.robots = robots
    self.status = status
    self.contentType = contentType
    self.charset = charset
    self.title = title
    self.author = author
    self.publishedAt = publishedAt
    self.modifiedAt = modifiedAt
    self.language = language
    self.siteName = siteName
    self.canonicalURL = canonicalURL
    self.description = description
    self.pageType = pageType
    self.emptyReason = emptyReason
    self.text = text
    self.markdown = markdown
    self.characters = characters
    self.totalCharacters = totalCharacters
    self.truncated = truncated
    self.bytes = bytes
    self.sha256 = sha256
    self.hidden = hidden
    self.removed = removed
    self.partial = partial
    self.links = links
    self.fetchedAt = fetchedAt
    self.fromCache = fromCache
    self.timing = timing
    self.error = error
    self.labels = labels
  }
}

/// A link of a page.
public struct PageLink: Codable, Sendable, Hashable {
  /// The absolute address.
  public var url: String
  /// The words that are linked.
  public var text: String

  /// Creates the link.
  public init(url: String, text: String) {
    self.url = url
    self.text = text
  }
}

/// How long the parts of reading a page took, in milliseconds from its start.
public struct PageTiming: Codable, Sendable, Hashable {
  /// Until the name was resolved.
  public var nameLookupMs: Double?
  /// Until the connection stood.
  public var connectMs: Double?
  /// Until the first byte of the answer.
  public var firstByteMs: Double?
  /// Until the last byte.
  public var totalMs: Double?
  /// What extraction took by itself.
  public var extractMs: Double?

  /// Creates the times.
  public init(
    nameLookupMs: Double? = nil, connectMs: Double? = nil, firstByteMs: Double? = nil,
    totalMs: Double? = nil, extractMs: Double? = nil
  ) {
    self.nameLookupMs = nameLookupMs
    self.connectMs = connectMs
    self.firstByteMs = firstByteMs
    self.totalMs = totalMs
    self.extractMs = extractMs
  }
}
