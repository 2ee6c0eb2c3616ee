/// The kinds of page that reading distinguishes.
public enum PageType: String, Sendable, CaseIterable {
  /// A text with a beginning and an end: a news story, a blog post, an encyclopedia entry.
  case article
  /// A manual, a reference or a guide to a tool.
  case documentation
  /// A thread of posts by several people.
  case forum
  /// One item offered for sale.
  case product
  /// A list of items for sale or on display.
  case collection
  /// A list of texts, each shown as a title and a few words.
  case listing
  /// A company's or project's description of itself and its services.
  case service
  /// A feed.
  case feed
  /// A list of a site's pages.
  case sitemap
}
