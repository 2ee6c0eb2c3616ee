import Core
import Reading

/// A page as the tests of reading look at it: what reading always fills in is there.
@dynamicMemberLookup
struct ReadPage {
  let facts: PageFacts

  var text: String { facts.text ?? "" }
  var markdown: String { facts.markdown ?? "" }
  var links: [PageLink] { facts.links ?? [] }
  var characters: Int { facts.characters ?? -1 }
  var totalCharacters: Int { facts.totalCharacters ?? -1 }
  var truncated: Bool { facts.truncated ?? false }
  var hidden: Int { facts.hidden ?? -1 }
  var removed: Int { facts.removed ?? -1 }
  var pageType: PageType? { facts.pageType.flatMap(PageType.init) }
  var emptyReason: EmptyReason? { facts.emptyReason.flatMap(EmptyReason.init) }

  /// Any other fact.
  subscript<Value>(dynamicMember member: KeyPath<PageFacts, Value>) -> Value {
    facts[keyPath: member]
  }
}

extension Reader {
  static func read(html: [UInt8], options: ReadOptions) throws(Failure) -> ReadPage {
    ReadPage(facts: try read(html, as: .html, options: options))
  }

  static func read(text: [UInt8], options: ReadOptions) throws(Failure) -> ReadPage {
    ReadPage(facts: try read(text, as: .text, options: options))
  }

  static func read(markdown: [UInt8], options: ReadOptions) throws(Failure) -> ReadPage {
    ReadPage(facts: try read(markdown, as: .markdown, options: options))
  }

  static func read(feed: [UInt8], options: ReadOptions) throws(Failure) -> ReadPage {
    ReadPage(facts: try read(feed, as: .feed, options: options))
  }
}
