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
