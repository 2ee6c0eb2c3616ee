/// What a page says of itself in one place after the other; of each field the best is kept.
struct Claims {
  enum Field: Int, CaseIterable {
    case title, author, published, modified, siteName, description, language, canonical, type
  }

  private struct Claim {
    var value: String
    var rank: Int
  }

  private var best = [Claim?](repeating: nil, count: Field.allCases.count)

  subscript(field: Field) -> String? { best[field.rawValue]?.value }

  /// How good the claim is that a field has; a lower rank is better.
  func rank(_ field: Field) -> Int { best[field.rawValue]?.rank ?? Int.max }

  /// Makes a claim; of two of one rank the first counts.
  mutating func claim(_ field: Field, _ value: String?, rank: Int) {
    guard let value, !value.isEmpty, rank < self.rank(field) else { return }
    best[field.rawValue] = Claim(value: value, rank: rank)
  }

  /// Adds another author of the same rank, or makes a better claim.
  mutating func claimAuthor(_ name: String?, rank: Int) {
    guard let name else { return }
    if rank == self.rank(.author), let known = self[.author] {
      let isNew = !known.components(separatedBy: ", ").contains(name)
      guard isNew, known.utf8.count < 1024 else { return }
      best[Field.author.rawValue]?.value = known + ", " + name
    } else {
      claim(.author, name, rank: rank)
    }
  }
}

extension String {
  /// The parts between separators.
  fileprivate func components(separatedBy separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}

/// The `<meta>` elements of a page.
struct MetaTags {
  /// How the sources of one field are ranked.
  enum Rank {
    static let first = 10
    static let linkedPerson = 20
    static let second = 30
    static let third = 40
    static let linked = 50
    static let address = 60
    static let element = 70
    static let nobody = 500
  }

  private(set) var claims = Claims()
  private(set) var openGraphType: String?
  /// The pairs of `twitter:label1` and `twitter:data1`.
  private var twitterLabels: [Character: String] = [:]
  private var twitterData: [Character: String] = [:]

  mutating func read(_ key: String, _ content: String) {
    let key = key.lowercased()
    if readText(key, content) { return }
    switch key {
    case "article:published_time", "og:article:published_time", "og:published_time",
      "published_time", "article:published", "article.published":
      date(.published, content, Rank.first)
    case "datepublished", "parsely-pub-date", "sailthru.date", "citation_publication_date",
      "publishdate", "publish_date", "publish-date", "pubdate", "published_at", "publication_date",
      "originalpublicationdate", "cxenseparse:recs:publishtime", "bt:pubdate", "dc.date.issued",
      "dcterms.issued", "dc.issued", "dcterms.date.issued", "article:post_date":
      date(.published, content, Rank.second)
    case "date", "dc.date", "dcterms.date", "dc.date.created", "dcterms.created", "datecreated",
      "citation_date", "citation_online_date", "created", "rnews:datepublished", "pdate",
      "dc.created", "article_date_original", "displaydate", "uploaddate":
      date(.published, content, Rank.third)
    case "article:modified_time", "og:article:modified_time": date(.modified, content, Rank.first)
    case "datemodified", "dcterms.modified", "dc.date.modified", "lastmod", "last-modified",
      "parsely-metadata-modified", "modified", "article.updated":
      date(.modified, content, Rank.second)
    case "og:updated_time", "revised", "updated_time": date(.modified, content, Rank.third)
    case "author", "parsely-author", "sailthru.author", "citation_author", "byl", "byline",
      "article.author", "rnews:author", "dcsext.author":
      let isLibrary = key == "citation_author"
      author(
        isLibrary ? Self.inReadingOrder(content) : content,
        key == "author" ? Rank.third : Rank.second)
    case "article:author", "og:author", "og:article:author", "book:author", "dc.creator",
      "dcterms.creator", "creator", "dc.contributor.author", "shareaholic:article_author_name":
      author(content, Rank.third + 5)
    case "twitter:label1", "twitter:label2": twitterLabels[key.last ?? "1"] = content
    case "twitter:data1", "twitter:data2": twitterData[key.last ?? "1"] = content
    default: readOther(key, content)
    }
  }

  /// Reads the many names that one site alone has for a date.
  private mutating func readOther(_ key: String, _ content: String) {
    guard content.utf8.count < 64, content.utf8.contains(where: isDigit) else { return }
    if key.contains("publish") || key.contains("pubdate") {
      date(.published, content, Rank.third + 2)
    } else if key.contains("modif") || key.contains("update") {
      date(.modified, content, Rank.third + 2)
    } else if key.hasSuffix("date"), !key.contains("expir"), !key.contains("valid") {
      date(.published, content, Rank.element + 5)
    }
  }

  private mutating func readText(_ key: String, _ content: String) -> Bool {
    switch key {
    case "og:title": claims.claim(.title, content, rank: Rank.first)
    case "twitter:title", "parsely-title", "sailthru.title", "citation_title", "dc.title",
      "dcterms.title":
      claims.claim(.title, content, rank: Rank.second)
    case "og:type": openGraphType = openGraphType ?? content.lowercased()
    case "og:site_name": claims.claim(.siteName, content, rank: Rank.first)
    case "application-name", "apple-mobile-web-app-title", "parsely-site":
      claims.claim(.siteName, content, rank: Rank.third)
    case "dc.publisher", "dcterms.publisher", "citation_journal_title":
      claims.claim(.siteName, content, rank: Rank.address)
    case "og:description": claims.claim(.description, content, rank: Rank.first)
    case "description": claims.claim(.description, content, rank: Rank.second)
    case "twitter:description", "dc.description", "dcterms.description", "sailthru.description":
      claims.claim(.description, content, rank: Rank.third)
    case "og:locale": claims.claim(.language, content, rank: Rank.third)
    case "content-language", "dc.language", "dcterms.language", "inlanguage":
      claims.claim(.language, content, rank: Rank.second)
    case "og:url": claims.claim(.canonical, content, rank: Rank.second)
    default: return false
    }
    return true
  }

  /// Claims a date that microdata gives.
  mutating func claimDate(_ field: Claims.Field, _ date: String?) {
    claims.claim(field, date, rank: Rank.third + 1)
  }

  private mutating func date(_ field: Claims.Field, _ content: String, _ rank: Int) {
    claims.claim(field, DateValue.normalised(content), rank: rank)
  }

  private mutating func author(_ content: String, _ rank: Int) {
    guard let name = AuthorName.cleaned(content) else { return }
    claims.claimAuthor(name, rank: AuthorName.isGeneric(name) ? Rank.nobody : rank)
  }

  /// `Author, Ann`, as libraries write names, the other way round.
  private static func inReadingOrder(_ name: String) -> String {
    let parts = name.split(separator: ",")
    guard parts.count == 2 else { return name }
    return parts[1].drop { $0 == " " } + " " + parts[0]
  }

  /// Reads what only makes sense once all elements are known.
  mutating func finish() {
    for key: Character in ["1", "2"] {
      guard let label = twitterLabels[key], Self.namesAuthor(label) else { continue }
      if let name = twitterData[key] { author(name, Rank.third + 2) }
    }
  }

  /// `Written by` in the languages WordPress writes it in most.
  private static func namesAuthor(_ label: String) -> Bool {
    ["written by", "author", "verfasst von", "écrit par", "escrito por", "scritto da"].contains(
      label.lowercased())
  }
}
