/// The stack of open elements in the scanner, which limits the stack of libxml2.
///
/// For every end tag, libxml2 searches its whole stack. With 100,000 open elements and as many
/// stray end tags, this takes 10^10 comparisons, which no callback can stop. The scanner therefore
/// drops start tags past the depth limit and end tags that close nothing. It finds the element that
/// an end tag closes without a search.
struct OpenElements {
  /// An open element.
  struct Element {
    var tag: Tag
    /// The indices of the next outer element with the same tag, and with the same strength.
    ///
    /// An index is -1 if there is no such element.
    fileprivate var outerOfTag: Int16
    fileprivate var outerOfStrength: Int16
  }

  /// The open elements, from the outermost.
  private(set) var elements: [Element] = []
  private let limit: Int
  /// The indices of the innermost open element with each tag, and with each strength.
  ///
  /// An index is -1 if there is no such element.
  private var lastOfTag = [Int16](repeating: -1, count: Tag.allCases.count)
  private var lastOfStrength = SIMD8<Int16>(repeating: -1)
  private var literals = 0

  /// The strength of an element.
  ///
  /// An end tag does not close an element that is outside of a stronger open element.
  private enum Strength: Int {
    // The end of a container ends a paragraph or an item in it, but not another block.
    case inline, block, cell, row, rows, table

    init(_ tag: Tag) {
      switch tag {
      case .td, .th, .caption: self = .cell
      case .tr: self = .row
      case .thead, .tbody, .tfoot: self = .rows
      case .table: self = .table
      case .p, .li, .dt, .dd: self = .inline
      default: self = Tag.block.contains(tag) ? .block : .inline
      }
    }
  }

  /// Creates an empty stack that can have at most `limit` elements, and never more than 32,767.
  init(limit: Int) { self.limit = min(limit, Int(Int16.max)) }

  /// `true` while an element with preformatted text is open.
  var isLiteral: Bool { literals > 0 }

  /// Returns `true` while an element with the given tag is open.
  func contains(_ tag: Tag) -> Bool { lastOfTag[Int(tag.rawValue)] >= 0 }

  /// Opens an element with the given tag.
  ///
  /// - Returns: `false` if the element is too deep and must be dropped.
  mutating func open(_ tag: Tag) -> Bool {
    while let last = elements.last, Self.closes(tag, last.tag) { removeLast() }
    guard elements.count < limit else { return false }
    let (index, strength) = (Int16(elements.count), Strength(tag).rawValue)
    elements.append(
      Element(
        tag: tag, outerOfTag: lastOfTag[Int(tag.rawValue)],
        outerOfStrength: lastOfStrength[strength]))
    lastOfTag[Int(tag.rawValue)] = index
    lastOfStrength[strength] = index
    if Tag.literal.contains(tag) { literals += 1 }
    return true
  }

  /// Returns the index of the element that the given end tag closes; nil if it closes none.
  ///
  /// The element's open descendants are closed with it.
  func index(closing tag: Tag) -> Int? {
    let index = lastOfTag[Int(tag.rawValue)]
    guard index >= 0 else { return nil }
    for stronger in (Strength(tag).rawValue + 1)..<8 where lastOfStrength[stronger] > index {
      return nil
    }
    return Int(index)
  }

  /// Closes the element at the given index and its open descendants.
  mutating func close(from index: Int) {
    while elements.count > index { removeLast() }
  }

  private mutating func removeLast() {
    guard let element = elements.popLast() else { return }
    lastOfTag[Int(element.tag.rawValue)] = element.outerOfTag
    lastOfStrength[Strength(element.tag).rawValue] = element.outerOfStrength
    if Tag.literal.contains(element.tag) { literals -= 1 }
  }

  /// Returns `true` if the start tag `tag` implicitly ends the innermost open element, `last`.
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
}
