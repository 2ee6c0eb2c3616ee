import Core
import Foundation

extension RecordFile {
  /// Creates the file of the given page.
  ///
  /// The page's URL identifies it.
  init(_ page: Page, fields: NoteFields) {
    var page = page
    if fields == .usual {
      // That nothing is missing needs no line.
      if page.truncated == false { page.truncated = nil }
      if page.partial == false { page.partial = nil }
    }
    let markdown = page.markdown.flatMap { $0.isEmpty ? nil : $0 }
    let address = page.finalURL ?? page.url
    let host = URLComponents(string: address)?.host.flatMap { $0.isEmpty ? nil : $0 }
    let hash = SHA256Digest.hexadecimal(Array(page.url.utf8))
    self.init(
      type: Page.type, id: ("url", page.url), layout: .page, instant: page.fetchedAt,
      values: [
        .project: page.project, .role: Page.type, .title: page.title, .id: String(hash.prefix(8)),
        .kind: page.pageType, .host: host, .site: page.siteName ?? host, .author: page.author,
      ], body: markdown ?? page.text.map(PlainText.markdown) ?? "", fields: fields.ofPage
    ) { [page] matter in
      matter.describe(page)
    }
  }
}

extension FrontMatter {
  /// Adds the source of the given page and all its facts except its body.
  ///
  /// Each fact has the name that it has in the record. The facts are in the order of their
  /// declaration, with related values of the page between them.
  fileprivate mutating func describe(_ page: Page) {
    var facts = Facts(page.facts)
    add(facts.next(through: "pageType"))
    add("project", page.project)
    add("path", page.path)
    add("finalURL", page.finalURL)
    add(facts.next(through: "canonicalURL"))
    add("redirects", page.redirects.map(Value.list))
    add("status", page.status)
    add("contentType", page.contentType)
    add(facts.next(through: "truncated"))
    add("partial", page.partial)
    add(facts.next(through: nil))
    add("bytes", page.bytes)
    add("sha256", page.sha256)
    add("fetchedAt", page.fetchedAt)
    add("labels", page.labels)
  }

  private mutating func add(_ entries: [(key: String, value: Value)]) {
    for entry in entries { add(entry.key, entry.value) }
  }
}

/// The facts that the file of a page lists, in the order of their declaration.
private struct Facts {
  private var left: [(key: String, value: FrontMatter.Value?)]

  /// Reads the members of the given facts by reflection, so that new members are included.
  init(_ facts: PageFacts) {
    var listed = facts
    (listed.text, listed.markdown, listed.links) = (nil, nil, nil)
    left = Mirror(reflecting: listed).children.compactMap { member in
      member.label.map { ($0, Self.value(member.value)) }
    }
  }

  /// Returns the next facts that have a value, up to the fact named `last`.
  ///
  /// If `last` is nil, all remaining facts are returned.
  mutating func next(through last: String?) -> [(key: String, value: FrontMatter.Value)] {
    let count = left.firstIndex { $0.key == last }.map { $0 + 1 } ?? left.count
    defer { left.removeFirst(count) }
    return left.prefix(count).compactMap { fact in fact.value.map { (fact.key, $0) } }
  }

  private static func value(_ member: Any) -> FrontMatter.Value? {
    switch member {
    case let text as String: .string(text)
    case let flag as Bool: .flag(flag)
    case let number as Int: .integer(number)
    case let number as Double: .number(number)
    case let texts as [String]: .list(texts)
    default: nil
    }
  }
}
