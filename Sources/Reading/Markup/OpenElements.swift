/// The stack of open elements in the scanner, which limits the stack of libxml2.
///
/// For every end tag, libxml2 searches its whole stack. 100,000 open elements and as many stray end
/// tags thus cost 10^10 comparisons, which no callback can stop. The scanner therefore drops start
/// tags past the depth limit and end tags that close nothing. It finds the element that an end tag
/// closes without a search.
struct OpenElements {
  /// An open element.
  struct Element {
    var tag: Tag
    /// The indices of the next outer element of the same tag, and of the same strength; -1 if there
    /// is none.
    fileprivate var outerOfTag: Int16
    fileprivate var outerOfStrength: Int16
  }

  /// The open elements, the outermost first.
  private(set) var elements: [Element] = []
  private let limit: Int
  /// The indices of the innermost element of each tag, and of each strength; -1 if there is none.
  private var lastOfTag = [Int16](repeating: -1, count: Tag.allCases.count)
  private var lastOfStrength = SIMD8<Int16>(repeating: -1)
  private var literals = 0

  /// The strength of an element: an end tag does not close an element outside of a stronger open
  /// element.
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

  /// Creates an empty stack of at most `limit` elements, and at most 32,767.
  init(limit: Int) { self.limit = min(limit, Int(Int16.max)) }

  /// `true` while an element with preformatted text is open.
  var isLiteral: Bool { literals > 0 }

  /// Opens an element with the given tag; returns `false` if it is too deep and must be dropped.
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

  /// Returns the index of the element that the given end tag closes, together with its open
  /// descendants; nil if it closes none.
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
