/// The facts found in a document: its text and its metadata.
///
/// Each fact is also a member of the page's record, with secrets removed. The page's exported file
/// lists the facts that are not part of its body.
public struct PageFacts: Codable, Sendable, Hashable {
  /// The title.
  public var title: String?
  /// The author.
  public var author: String?
  /// The publication date, as the page states it.
  public var publishedAt: String?
  /// The date of the last modification, as the page states it.
  public var modifiedAt: String?
  /// The language, as a BCP 47 tag.
  public var language: String?
  /// The site's name.
  public var siteName: String?
  /// The page's own summary.
  public var description: String?
  /// The type that the page declares, such as `article`.
  public var pageType: String?
  /// The address that the page declares as canonical.
  public var canonicalURL: String?
  /// The name of the encoding used to read the text, as WHATWG defines it, in lower case.
  public var charset: String?
  /// The length of the returned text in characters.
  public var characters: Int?
  /// The length of the whole text in characters.
  public var totalCharacters: Int?
  /// `true` if the text was truncated.
  public var truncated: Bool?
  /// The number of hidden passages that were omitted.
  public var hidden: Int?
  /// The number of control, bidi, zero-width and tag characters that were removed.
  public var removed: Int?
  /// The reason why the page has no text; nil if it has text.
  public var emptyReason: String?
  /// The content as plain text, with a blank line between blocks.
  public var text: String?
  /// The content as Markdown (CommonMark with GitHub's tables).
  public var markdown: String?
  /// The links in the content, in order.
  ///
  /// Each address occurs once.
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
  /// The link's absolute address.
  public var url: String
  /// The link's text.
  public var text: String

  /// Creates the link.
  public init(url: String, text: String) {
    self.url = url
    self.text = text
  }
}
