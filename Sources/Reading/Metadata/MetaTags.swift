/// The values found for the fields of a page's metadata.
///
/// Each field has its best-ranked value.
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

  /// Returns the rank of the given field's current value; a lower rank is better.
  func rank(_ field: Field) -> Int { best[field.rawValue]?.rank ?? Int.max }

  /// Sets the value of the given field, unless the current value's rank is at least as good.
  mutating func claim(_ field: Field, _ value: String?, rank: Int) {
    guard let value, !value.isEmpty, rank < self.rank(field) else { return }
    best[field.rawValue] = Claim(value: value, rank: rank)
  }

  /// Adds the given author to the authors of the same rank.
  ///
  /// Authors of a worse rank are replaced.
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
  /// Returns the parts between occurrences of the given separator.
  fileprivate func components(separatedBy separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}

/// The `<meta>` elements of a page.
struct MetaTags {
  /// The ranks of the sources that a field's value can come from.
  ///
  /// A lower rank is better.
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
  /// The contents of the tags `twitter:label1` and `twitter:data1`, and so on, by their number.
  ///
  /// A label and the data with the same number belong together.
  private var twitterLabels: [UInt8: String] = [:]
  private var twitterData: [UInt8: String] = [:]

  /// The meaning that a known name of a `<meta>` element has.
  private enum Source {
    case text(Claims.Field, Int)
    case date(Claims.Field, Int)
    case author(Int)
    /// The content is an author's name in the form `Author, Ann`.
    case libraryAuthor
    case type
    case label
    case data
  }

  private static let sources: NameTable<Source> = {
    let names: [(StaticString, Source)] = [
      ("og:title", .text(.title, Rank.first)),
      (
        "twitter:title parsely-title sailthru.title citation_title dc.title dcterms.title",
        .text(.title, Rank.second)
      ),
      ("og:type", .type),
      ("og:site_name", .text(.siteName, Rank.first)),
      (
        "application-name apple-mobile-web-app-title parsely-site",
        .text(.siteName, Rank.third)
      ),
      (
        "dc.publisher dcterms.publisher citation_journal_title",
        .text(.siteName, Rank.address)
      ),
      ("og:description", .text(.description, Rank.first)),
      ("description", .text(.description, Rank.second)),
      (
        "twitter:description dc.description dcterms.description sailthru.description",
        .text(.description, Rank.third)
      ),
      ("og:locale", .text(.language, Rank.third)),
      (
        "content-language dc.language dcterms.language inlanguage",
        .text(.language, Rank.second)
      ),
      ("og:url", .text(.canonical, Rank.second)),
      (
        """
        article:published_time og:article:published_time og:published_time published_time \
        article:published article.published
        """, .date(.published, Rank.first)
      ),
      (
        """
        datepublished parsely-pub-date sailthru.date citation_publication_date publishdate \
        publish_date publish-date pubdate published_at publication_date originalpublicationdate \
        cxenseparse:recs:publishtime bt:pubdate dc.date.issued dcterms.issued dc.issued \
        dcterms.date.issued article:post_date
        """, .date(.published, Rank.second)
      ),
      (
        """
        date dc.date dcterms.date dc.date.created dcterms.created datecreated citation_date \
        citation_online_date created rnews:datepublished pdate dc.created article_date_original \
        displaydate uploaddate
        """, .date(.published, Rank.third)
      ),
      (
        "article:modified_time og:article:modified_time",
        .date(.modified, Rank.first)
      ),
      (
        """
        datemodified dcterms.modified dc.date.modified lastmod last-modified \
        parsely-metadata-modified modified article.updated
        """, .date(.modified, Rank.second)
      ),
      ("og:updated_time revised updated_time", .date(.modified, Rank.third)),
      ("citation_author", .libraryAuthor),
      (
        "parsely-author sailthru.author byl byline article.author rnews:author dcsext.author",
        .author(Rank.second)
      ),
      ("author", .author(Rank.third)),
      (
        """
        article:author og:author og:article:author book:author dc.creator dcterms.creator creator \
        dc.contributor.author shareaholic:article_author_name
        """, .author(Rank.third + 5)
      ),
      ("twitter:label1 twitter:label2", .label),
      ("twitter:data1 twitter:data2", .data),
    ]
    return NameTable(
      names.flatMap { names, source in
        names.bytes.split(separator: 0x20).map { (NameHash.of($0), source) }
      })
  }()

  /// Reads one name of an element, and the element's content.
  ///
  /// - Parameters:
  ///   - key: The name, whose case is ignored.
  ///   - content: The content of the element, with collapsed white space.
  mutating func read(_ key: ArraySlice<UInt8>, _ content: String) {
    guard let source = Self.sources[NameHash.of(key.lazy.map(\.lowercased))] else {
      return readOther(key, content)
    }
    switch source {
    case .text(let field, let rank): claims.claim(field, content, rank: rank)
    case .date(let field, let rank): date(field, content, rank)
    case .author(let rank): author(content, rank)
    case .libraryAuthor: author(Self.inReadingOrder(content), Rank.second)
    case .type: openGraphType = openGraphType ?? content.lowercased()
    case .label: twitterLabels[key.last ?? 0] = content
    case .data: twitterData[key.last ?? 0] = content
    }
  }

  /// Reads a date whose name is not in the table, because many sites use their own names.
  private mutating func readOther(_ key: ArraySlice<UInt8>, _ content: String) {
    guard content.utf8.count < 64, content.utf8.contains(where: isDigit) else { return }
    let key = key.map(\.lowercased)[...]
    func holds(_ text: StaticString) -> Bool { key.firstOffset(of: text.bytes) != nil }
    if holds("publish") || holds("pubdate") {
      date(.published, content, Rank.third + 2)
    } else if holds("modif") || holds("update") {
      date(.modified, content, Rank.third + 2)
    } else if key.suffix(4).elementsEqual("date".utf8), !holds("expir"), !holds("valid") {
      date(.published, content, Rank.element + 5)
    }
  }

  /// Sets the given date field to a date from microdata, unless its current value has a better
  /// rank.
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

  /// Returns the given name in reading order if it has the form `Author, Ann`, which libraries use.
  private static func inReadingOrder(_ name: String) -> String {
    let parts = name.split(separator: ",")
    guard parts.count == 2 else { return name }
    return parts[1].drop { $0 == " " } + " " + parts[0]
  }

  /// Evaluates the tags that depend on other tags.
  mutating func finish() {
    for key in "12".utf8 {
      guard let label = twitterLabels[key], Self.namesAuthor(label) else { continue }
      if let name = twitterData[key] { author(name, Rank.third + 2) }
    }
  }

  /// Returns `true` if the given label means `Written by`, in a language common in WordPress.
  private static func namesAuthor(_ label: String) -> Bool {
    ["written by", "author", "verfasst von", "écrit par", "escrito por", "scritto da"].contains(
      label.lowercased())
  }
}
