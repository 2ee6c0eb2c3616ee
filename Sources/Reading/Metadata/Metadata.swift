import Core

/// The metadata of a document.
///
/// It comes from linked data, the head, microdata, and the text near the heading. For each field,
/// the most reliable source is used. For dates, that is OpenGraph; for people, linked data. Visible
/// text is the last resort.
struct Metadata {
  /// The facts: title, author, dates, language, site, address and summary.
  private(set) var facts = PageFacts()
  /// The value of the document's `<base href>`, as written.
  var base: ArraySlice<UInt8>?

  /// The short names of schema.org types in linked data and microdata, such as `NewsArticle`.
  var schemaTypes: Set<String> = []
  /// The value of OpenGraph's `og:type` in lower case, such as `article` or `product`.
  var openGraphType: String?
  /// `true` if linked data has the whole text of an article (`articleBody`).
  var hasArticleBody = false
  /// `true` if linked data has `isAccessibleForFree: false`.
  var isPaid = false

  private let limits: ReadLimits
  private let deadline: Deadline

  /// - Parameters:
  ///   - tree: The document.
  ///   - linkedData: The linked data of the page.
  ///   - limits: The limits, one of which is the maximum size of a value.
  ///   - resolver: The resolver for relative addresses.
  ///   - address: The page's own address; empty if unknown.
  ///   - deadline: The deadline. Once it has passed, the rest is not read.
  init(
    _ tree: NodeTree, linkedData: LinkedData, limits: ReadLimits, resolver: LinkResolver,
    address: String, deadline: Deadline
  ) {
    self.limits = limits
    self.deadline = deadline
    var head = PageHead(tree, limits: limits, deadline: deadline)
    head.read()
    base = head.base
    let rebased = head.base.map { resolver.rebased(on: $0) } ?? resolver
    var titles = TitleChoice(tag: head.title, openGraph: head.tags.claims[.title])
    titles.headings = head.headings.map(\.text)
    let known = [titles.tag, titles.openGraph].compactMap(\.self) + titles.headings
    let linked = LinkedFacts(linkedData, titles: known)
    titles.linked = linked.title
    let canonical = head.canonical ?? head.tags.claims[.canonical].map { Array($0.utf8)[...] }
    // A truncated address would be wrong, so an address that is too long is dropped.
    facts.canonicalURL = canonical.flatMap { rebased.resolve($0) }.flatMap {
      $0.utf8.count > limits.metadataBytes ? nil : $0
    }
    let place = address.isEmpty ? facts.canonicalURL ?? "" : address
    schemaTypes = linked.types.union(head.itemTypes)
    openGraphType = head.tags.openGraphType
    hasArticleBody = linked.hasArticleBody
    isPaid = linked.isPaid

    var claims = head.tags.claims
    claims.claim(.siteName, linked.siteName, rank: MetaTags.Rank.linkedPerson)
    claims.claim(.siteName, linked.publisher, rank: MetaTags.Rank.second)
    facts.siteName = short(claims[.siteName])
    titles.sites = [facts.siteName].compactMap(\.self) + Self.hostNames(place)
    facts.title = short(titles.chosen())

    if let name = linked.author {
      let isSite = facts.siteName.map { PlainTitle($0) == PlainTitle(name) } ?? false
      let isPoor = !linked.isPerson || isSite || AuthorName.isGeneric(name)
      claims.claim(
        .author, name, rank: isPoor ? MetaTags.Rank.linked : MetaTags.Rank.linkedPerson)
    }
    claims.claim(.published, linked.publishedAt, rank: MetaTags.Rank.linkedPerson)
    claims.claim(.modified, linked.modifiedAt, rank: MetaTags.Rank.linkedPerson)
    claims.claim(.published, Self.date(inAddress: place), rank: MetaTags.Rank.address)
    look(at: tree, head, &claims)
    // A page with only a modification date was published by then.
    claims.claim(.published, claims[.modified], rank: MetaTags.Rank.nobody)
    facts.author = short(claims[.author])
    facts.publishedAt = claims[.published]
    facts.modifiedAt = claims[.modified]
    claims.claim(.description, linked.description, rank: MetaTags.Rank.linked)
    facts.description = short(claims[.description])
    claims.claim(.language, linked.language, rank: MetaTags.Rank.linked)
    facts.language = Self.language(head.language) ?? Self.language(claims[.language])
  }

  /// Searches the visible page for the author and the dates that the head does not state.
  private func look(at tree: NodeTree, _ head: PageHead, _ claims: inout Claims) {
    let isSite =
      claims[.author].map { PlainTitle($0) == PlainTitle(facts.siteName ?? "") } ?? false
    let wantsAuthor = claims.rank(.author) >= MetaTags.Rank.linked || isSite
    guard wantsAuthor || claims[.published] == nil else { return }
    let plain = PlainTitle(facts.title ?? "")
    let heading = head.headings.first { PlainTitle($0.text) == plain } ?? head.headings.first
    let clues = PageClues(
      tree, heading: heading?.node ?? -1, wantsAuthor: wantsAuthor, deadline: deadline)
    if let author = clues.author, isSite || claims.rank(.author) > MetaTags.Rank.linked {
      claims.claim(.author, author, rank: MetaTags.Rank.first)
    }
    claims.claim(.published, clues.publishedAt, rank: MetaTags.Rank.element)
    claims.claim(.modified, clues.modifiedAt, rank: MetaTags.Rank.element)
  }

  /// Returns the host of the given address without `www.`, and the part of it that names the site.
  private static func hostNames(_ address: String) -> [String] {
    guard let start = address.firstRange(of: "://")?.upperBound else { return [] }
    var host = address[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != ":" }
    if host.hasPrefix("www.") { host = host.dropFirst(4) }
    let labels = host.split(separator: ".")
    guard labels.count > 1 else { return [String(host)] }
    // The name is the label before the last, or before `co.uk` and similar suffixes.
    let isSecondLevel = labels.count > 2 && labels[labels.count - 2].utf8.count <= 3
    return [String(host), String(labels[labels.count - (isSecondLevel ? 3 : 2)])]
  }

  /// Returns the date in the given address, as in `/2024/03/12/title` or `/2024-03-12-title`.
  private static func date(inAddress address: String) -> String? {
    guard let start = address.firstRange(of: "://")?.upperBound else { return nil }
    let path = Array(address[start...].utf8.prefix(1024))
    var at = path.firstIndex(of: UInt8(ascii: "/")) ?? path.count
    while at + 11 <= path.count {
      defer { at += 1 }
      guard !isDigit(path[at]), path[at + 1] == 0x31 || path[at + 1] == 0x32 else { continue }
      let mark = path[at + 5]
      guard mark == UInt8(ascii: "/") || mark == UInt8(ascii: "-"), path[at + 8] == mark,
        at + 11 == path.count || !isDigit(path[at + 11])
      else { continue }
      if let date = DateValue.normalised(
        String(decoding: path[(at + 1)..<(at + 11)], as: UTF8.self))
      {
        return date
      }
    }
    return nil
  }

  /// Returns the given language tag with `_` replaced by `-`; nil if it is not well-formed.
  private static func language(_ value: String?) -> String? {
    guard let value = value?.split(whereSeparator: { " ,;".contains($0) }).first else { return nil }
    let tag = String(value).replacing("_", with: "-")
    let isTag =
      tag.utf8.count <= 35 && tag.utf8.first.map(isLetter) ?? false
      && tag.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
    return isTag ? tag : nil
  }

  /// Returns the given value with collapsed whitespace, cut to the maximum length; nil if it is
  /// empty.
  private func short(_ value: String?) -> String? {
    guard let value else { return nil }
    let words = collapsedSpace(value.utf8)
    guard words.utf8.count > limits.metadataBytes else { return words.isEmpty ? nil : words }
    var kept = words.utf8.prefix(limits.metadataBytes)
    while let last = kept.last, last & 0xC0 == 0x80 { kept = kept.dropLast() }
    // The last lead byte is dropped as well, because its continuation bytes may be missing.
    return String(Substring(kept.dropLast()))
  }
}
