/// What reading a document found: its text, and what it says about itself.
///
/// A fact is one member here. It stands in the page's record under its own name, it is kept free of
/// secrets, and a page's file lists it, unless it is a part of the body.
public struct PageFacts: Codable, Sendable, Hashable {
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
  /// The page's summary of itself.
  public var description: String?
  /// What kind of page it is.
  public var pageType: String?
  /// The address the page names as its own.
  public var canonicalURL: String?
  /// The encoding that the text was read in, by its WHATWG name in lower case.
  public var charset: String?
  /// The length of the text given.
  public var characters: Int?
  /// The length of the whole text.
  public var totalCharacters: Int?
  /// Whether the text was cut.
  public var truncated: Bool?
  /// How many hidden passages were left out.
  public var hidden: Int?
  /// How many control, bidi, zero-width and tag characters were removed.
  public var removed: Int?
  /// Why there is no text.
  public var emptyReason: String?
  /// The content without marks, blocks separated by a blank line.
  public var text: String?
  /// The content as Markdown (CommonMark with GitHub's tables).
  public var markdown: String?
  /// The links of the content, each address once, in order.
  public var links: [PageLink]?

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case title, author, publishedAt, modifiedAt, language, siteName, description, pageType,
      canonicalURL, charset, characters, totalCharacters, truncated, hidden, removed, emptyReason,
      text, markdown, links
  }

  /// Creates facts of which none is known.
  public init() {}
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
