/// The cleaning of names of authors.
enum AuthorName {
  /// Returns the given name without `By`, roles, addresses and dates; nil if nothing remains.
  static func cleaned(_ text: String) -> String? {
    var name = collapsedSpace(text.utf8)
    guard !name.isEmpty, name.utf8.count <= 1024 else { return nil }
    // Several passes are needed, because `Posted on … by` may be followed by `By: …`.
    for _ in 0..<8 {
      guard let label = labels.first(where: { hasLabel(name.utf8, $0) }) else { break }
      name = String(name.dropFirst(label.utf8CodeUnitCount))
      name = trimmed(name, " :,-–—|·•")
    }
    if let end = endOfName(name) { name = String(name[..<end]) }
    name = trimmed(name, " ,;:|·•/–—-@")
    guard isName(name) else { return nil }
    return name
  }

  /// Returns `true` if the given text begins with `By` or a similar label of a name.
  static func isLabelled(_ text: String) -> Bool {
    labels.contains { hasLabel(text.utf8, $0) }
  }

  /// Returns `true` if the given text's first word can begin such a label.
  ///
  /// This is a quick test to make before ``isLabelled(_:)``.
  static func mayBeLabelled(_ text: ArraySlice<UInt8>) -> Bool {
    let word = text.prefix { !isSpace($0) && $0 != UInt8(ascii: ":") }
    return word.count <= 11
      && labelWords[NameHash.of(word.lazy.map(\.lowercased))] != nil
  }

  /// Returns `true` if the given name is generic, such as a role.
  ///
  /// Another source is then preferred.
  static func isGeneric(_ name: String) -> Bool {
    generic.contains(name.lowercased())
  }

  private static let labels: [StaticString] = [
    "article written by", "this post was written by", "written by", "posted by", "published by",
    "authored by", "article by", "words by", "text by", "story by", "post by", "created by",
    "started by", "submitted by", "contributed by", "guest post by", "review by", "reported by",
    "about the author", "post author", "posted in", "authors", "author", "byline", "by", "von",
    "por", "par",
  ]
  private static let labelWords = NameTable(
    labels.map { (NameHash.of($0.bytes.prefix { $0 != 0x20 }), true) })
  private static let generic: Set = [
    "admin", "administrator", "editor", "staff", "guest", "author", "webmaster", "user", "team",
    "anonymous", "super user", "root", "editorial team", "editorial staff", "staff writer",
  ]
  private static let nobody: Set = [
    "null", "undefined", "none", "unknown", "n/a", "name", "true", "false", "share", "follow",
    "facebook", "twitter", "read more", "view all", "authors", "login", "log in", "sign in",
    "subscribe", "follow us", "about us", "contact", "home", "menu", "reviews", "comments",
    "about", "bio", "guest blogger", "reply", "writer", "profile", "view profile", "us", "our",
    "written by", "posted by", "published", "updated", "last updated", "editors", "all posts",
  ]
  /// The separators and words at which a name ends.
  private static let ends = [
    " | ", " • ", " · ", " – ", " — ", " - ", " on ", " in ", " posted ", " published ",
    " updated ", " last updated", " last modified", "http://", "https://", "www.", " (@", " at ",
    "; updated", " / ", " wrote", " says", " reviewed by ", " fact checked", " medically ",
    " edited by ", " photo", " | ", " min read",
  ]

  private static func hasLabel(_ text: String.UTF8View, _ label: StaticString) -> Bool {
    var rest = text[...]
    for byte in label.bytes {
      guard rest.popFirst()?.lowercased == byte else { return false }
    }
    return rest.first.map { $0 == 0x20 || $0 == UInt8(ascii: ":") } ?? true
  }

  private static func endOfName(_ name: String) -> String.Index? {
    let lower = name.lowercased()
    // If the lower-case name has another length, its offsets do not apply, and the name is not cut.
    guard lower.utf8.count == name.utf8.count else { return nil }
    var end = name.utf8.count
    let bytes = Array(lower.utf8)[...]
    for mark in ends { end = min(end, bytes.firstOffset(of: mark.utf8) ?? end) }
    if let date = WrittenDate.first(in: Array(name.utf8)[...]) {
      end = min(end, date.range.lowerBound)
    }
    return end < name.utf8.count ? name.utf8.index(name.startIndex, offsetBy: end) : nil
  }

  private static func trimmed(_ text: String, _ marks: String) -> String {
    var rest = text[...]
    while let first = rest.first, marks.contains(first) { rest.removeFirst() }
    while let last = rest.last, marks.contains(last) { rest.removeLast() }
    return String(rest)
  }

  private static func isName(_ name: String) -> Bool {
    let words = name.split(separator: " ")
    guard (2...200).contains(name.utf8.count), words.count <= 30 else { return false }
    guard !nobody.contains(name.lowercased()), !name.contains("{"), !name.contains("<") else {
      return false
    }
    let isAddress =
      name.contains("://") || name.hasPrefix("/")
      || words.contains { $0.dropFirst().contains("@") && $0.contains(".") }
    return !isAddress && name.contains(where: \.isLetter)
  }
}
