/// The type of a page, as far as reading distinguishes types.
public enum PageType: String, Sendable, CaseIterable {
  /// A text with a beginning and an end, such as a news story, a blog post or an encyclopedia
  /// entry.
  case article
  /// A manual, a reference or a guide to a tool.
  case documentation
  /// A thread of posts by several people.
  case forum
  /// One item offered for sale.
  case product
  /// A list of items that are for sale or on display.
  case collection
  /// A list of texts, each shown as a title and a few words.
  case listing
  /// A description that a company or project gives of itself and its services.
  case service
  /// An RSS, Atom or JSON feed.
  case feed
  /// A list of the pages of a site.
  case sitemap
}
