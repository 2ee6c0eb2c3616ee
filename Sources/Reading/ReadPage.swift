public import Core

/// What was read from one document.
public struct ReadPage: Sendable {
  /// The document's own title.
  public var title: String?
  /// Who wrote it, as the page says.
  public var author: String?
  /// When it was published, as the page writes it.
  public var publishedAt: String?
  /// When it was last changed, as the page writes it.
  public var modifiedAt: String?
  /// The language tag of the document, such as `en-GB`.
  public var language: String?
  /// The site's name.
  public var siteName: String?
  /// The address the page itself prefers.
  public var canonicalURL: String?
  /// The page's summary of itself.
  public var description: String?
  /// The content as plain text, blocks separated by a blank line.
  public var text = ""
  /// The content as Markdown (CommonMark with GitHub's tables).
  public var markdown = ""
  /// Unicode scalars of ``text`` that were kept.
  public var characters = 0
  /// Unicode scalars of the text before any cut.
  public var totalCharacters = 0
  /// Whether the text or the Markdown was cut, or the document was longer than the limits.
  public var truncated = false
  /// How many elements were dropped because no reader would have seen them.
  public var hidden = 0
  /// How many control, bidirectional, zero-width and tag characters were taken out.
  public var removed = 0
  /// The encoding the bytes were read in, by its WHATWG name in lower case.
  public var charset = "utf-8"
  /// The links of the content, each address once, in order.
  public var links: [PageLink] = []

  /// Creates an empty page.
  public init() {}
}
