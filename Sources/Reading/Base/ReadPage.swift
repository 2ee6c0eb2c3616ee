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
  /// What kind of page it is; nil of a document that is no page.
  public var pageType: PageType?
  /// Why there is no text; nil when there is some.
  public var emptyReason: EmptyReason?
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

/// The kinds of page that are told apart.
public enum PageType: String, Sendable, CaseIterable {
  /// A text with a beginning and an end: news, a blog post, an encyclopedia's entry.
  case article
  /// A manual, a reference, a guide to a tool.
  case documentation
  /// A thread of posts by several people.
  case forum
  /// One thing that is offered for sale.
  case product
  /// Many things that are offered for sale, or shown.
  case collection
  /// Many texts, each by its title and a few words.
  case listing
  /// What a firm or a project says of itself and what it does.
  case service
  /// A feed, by its entries.
  case feed
  /// A list of a site's pages.
  case sitemap
}

/// Why a page has no text.
public enum EmptyReason: String, Sendable, CaseIterable {
  /// A script would have to fill the page.
  case needsScript
  /// The text is for those who pay or sign in.
  case paywall
  /// A question about cookies stands before the text.
  case consent
  /// There is none.
  case noText
}
