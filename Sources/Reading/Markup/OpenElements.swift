/// The elements that the scanner believes to be open: what keeps libxml2's own stack short.
///
/// libxml2 searches its whole stack for the element of every end tag, so that 100,000 open
/// elements and as many stray end tags cost 10^10 comparisons, and no callback can stop it. Here a
/// start tag past the depth limit is not passed on, nor an end tag that closes nothing.
struct OpenElements {
  /// The outermost first.
  private(set) var tags: [Tag] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Opens an element; false when it is too deep to be passed on.
  mutating func open(_ tag: Tag) -> Bool {
    while let last = tags.last, Self.closes(tag, last) { tags.removeLast() }
    guard tags.count < limit else { return false }
    tags.append(tag)
    return true
  }

  /// Where the element is that an end tag closes, with all that is open in it; nil when none is
  /// open that it may close.
  func index(closing tag: Tag) -> Int? {
    let strength = Self.strength(tag)
    for index in tags.indices.reversed() {
      if tags[index] == tag { return index }
      if Self.strength(tags[index]) > strength { return nil }
    }
    return nil
  }

  /// Closes an element with all that is open in it.
  mutating func close(from index: Int) { tags.removeSubrange(index...) }

  /// Whether a start tag ends the element at the top of the stack without an end tag.
  private static func closes(_ tag: Tag, _ last: Tag) -> Bool {
    switch last {
    case .p: Tag.block.contains(tag)
    case .li: tag == .li
    case .dt, .dd: tag == .dt || tag == .dd
    case .option: tag == .option || tag == .optgroup
    case .td, .th: tag == .td || tag == .th || tag == .tr || tag == .tbody
    case .tr: tag == .tr || tag == .tbody
    default: false
    }
  }

  /// How hard an element is to close from inside: an end tag passes over no stronger one.
  private static func strength(_ tag: Tag) -> Int {
    switch tag {
    case .td, .th, .caption: 160
    case .tr: 170
    case .thead, .tbody, .tfoot: 180
    case .table: 190
    // A paragraph or an item ends with what surrounds it, but ends no other block.
    case .p, .li, .dt, .dd: 100
    default: Tag.block.contains(tag) ? 150 : 100
    }
  }
}
