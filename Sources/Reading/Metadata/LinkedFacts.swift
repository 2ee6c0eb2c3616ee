/// The facts that linked data states about a page's main entity.
struct LinkedFacts {
  /// The short names of all schema.org types in the data, such as `NewsArticle`.
  private(set) var types: Set<String> = []
  /// `true` if an entity contains the whole text of an article.
  private(set) var hasArticleBody = false
  /// `true` if an entity declares that access is not free.
  private(set) var isPaid = false
  private(set) var title: String?
  private(set) var author: String?
  /// `true` if the author is a person or has no declared type.
  private(set) var isPerson = false
  private(set) var publishedAt: String?
  private(set) var modifiedAt: String?
  private(set) var siteName: String?
  private(set) var publisher: String?
  private(set) var description: String?
  private(set) var language: String?

  private let data: LinkedData
  private var objectByID: [String: Int32] = [:]
  /// The number of names that may still be looked up.
  ///
  /// The limit is needed because a thousand entities may refer to the same thousand people.
  private var looksLeft = 1000

  private struct Entity {
    var object: Int32
    var types: [String]
    var rank: Int
  }

  /// - Parameters:
  ///   - data: The page's linked data.
  ///   - titles: The page's titles and headings. If there are several articles, the one with such a
  ///     title is the main entity.
  init(_ data: LinkedData, titles: [String]) {
    self.data = data
    guard !data.values.isEmpty else { return }
    var entities = readEntities()
    let known = Set(titles.map(PlainTitle.init)).filter { !$0.isEmpty }
    let articles = entities.filter { $0.rank == 3 }
    if articles.count > 1 {
      let named = articles.filter { known.contains(PlainTitle(title(of: $0.object) ?? "")) }
      let kept = named.first ?? (articles.count <= 3 ? articles.first : nil)
      entities.removeAll { $0.rank == 3 && $0.object != kept?.object }
    }
    for rank in [3, 2, 1] {
      for entity in entities where entity.rank == rank { read(entity) }
    }
  }

  /// Returns the entities that describe the page.
  ///
  /// They are the top-level entities, the entities in `@graph`, and a `mainEntity`. Entities nested
  /// in others, such as reviews and lists, do not count.
  private mutating func readEntities() -> [Entity] {
    var isTop = [Bool](repeating: false, count: data.values.count)
    var entities: [Entity] = []
    for (index, value) in data.values.enumerated() where value.kind.rawValue < 2 {
      let parent = Int(value.parent)
      let isNamed = !value.key.isEmpty
      let index32 = Int32(index)
      isTop[index] =
        parent < 0
        || isTop[parent]
          && (!isNamed || data.isKey(of: index32, "@graph")
            || data.isKey(of: index32, "mainEntity"))
      guard value.kind == .object else { continue }
      let names = data.types(of: index32)
      if types.count < 256 { types.formUnion(names) }
      if data.member("articleBody", of: index32) != nil { hasArticleBody = true }
      if data.equals("false", data.member("isAccessibleForFree", of: index32)) { isPaid = true }
      if let id = data.string(data.member("@id", of: index32)), !names.isEmpty {
        objectByID[id] = objectByID[id] ?? index32
      }
      guard isTop[index], !names.isEmpty, entities.count < 1000 else { continue }
      let rank = names.lazy.map(Self.rank).max() ?? 0
      entities.append(Entity(object: index32, types: names, rank: rank))
    }
    for entity in entities where entity.types.contains("WebSite") {
      siteName = siteName ?? data.text(data.member("name", of: entity.object))
    }
    return entities
  }

  private static func rank(_ type: String) -> Int {
    if type.hasSuffix("Article") || type.hasSuffix("BlogPosting") || writings.contains(type) {
      return 3
    }
    if things.contains(type) { return 2 }
    return type.hasSuffix("Page") ? 1 : 0
  }

  private static let writings: Set = [
    "Report", "DiscussionForumPosting", "SocialMediaPosting", "Question", "Recipe", "HowTo",
    "Review", "LiveBlogPosting", "CreativeWork", "Guide", "Quotation",
  ]
  private static let things: Set = [
    "Product", "ProductGroup", "Event", "JobPosting", "Course", "Book", "Movie", "VideoObject",
    "SoftwareApplication", "SoftwareSourceCode", "PodcastEpisode", "Dataset", "Service",
  ]

  private func title(of object: Int32) -> String? {
    data.text(data.member("headline", of: object)) ?? data.text(data.member("name", of: object))
  }

  private mutating func read(_ entity: Entity) {
    let object = entity.object
    func text(_ name: StaticString) -> String? { data.text(data.member(name, of: object)) }
    title = title ?? title(of: object)
    if author == nil {
      (author, isPerson) = names(data.member("author", of: object))
      if author == nil { (author, isPerson) = names(data.member("creator", of: object)) }
    }
    if publishedAt == nil {
      let date = text("datePublished") ?? text("dateCreated") ?? text("uploadDate")
      publishedAt = (date ?? text("datePosted")).flatMap(DateValue.normalised)
    }
    modifiedAt = modifiedAt ?? text("dateModified").flatMap(DateValue.normalised)
    description = description ?? text("description")
    language = language ?? text("inLanguage")
    publisher = publisher ?? names(data.member("publisher", of: object)).names
  }

  /// Returns the names of the people in the given value.
  ///
  /// The value may consist of strings, objects or references to objects.
  private mutating func names(_ value: Int32?) -> (names: String?, isPerson: Bool) {
    var found: [String] = []
    var isPerson = true
    for element in data.elements(of: value).prefix(32) where looksLeft > 0 {
      looksLeft -= 1
      guard let name = name(element), let cleaned = AuthorName.cleaned(name) else { continue }
      if data.types(of: resolved(element)).contains(where: { $0.hasSuffix("Organization") }) {
        isPerson = false
      }
      if !found.contains(cleaned) { found.append(cleaned) }
    }
    return (found.isEmpty ? nil : found.joined(separator: ", "), isPerson)
  }

  private func name(_ element: Int32) -> String? {
    if let name = data.string(element) { return name }
    let object = resolved(element)
    if let name = data.text(data.member("name", of: object)) { return name }
    let given = data.text(data.member("givenName", of: object))
    let family = data.text(data.member("familyName", of: object))
    return [given, family].compactMap(\.self).joined(separator: " ")
  }

  /// Returns the object that the given object refers to by `@id`; the given object if there is
  /// none.
  ///
  /// Only one reference is followed, because references may be circular.
  private func resolved(_ object: Int32) -> Int32 {
    guard data.member("name", of: object) == nil,
      let id = data.string(data.member("@id", of: object))
    else { return object }
    return objectByID[id] ?? object
  }
}

extension LinkedData {
  /// Returns `true` if the given value is an object's member with the given name.
  func isKey(of value: Int32, _ name: StaticString) -> Bool {
    let key = values[Int(value)].key
    return key.count == name.utf8CodeUnitCount
      && name.withUTF8Buffer {
        $0.elementsEqual(bytes[Int(key.lowerBound)..<Int(key.upperBound)])
      }
  }
}
