/// The elements that the scanner believes to be open: what keeps libxml2's own stack short.
///
/// libxml2 searches its whole stack for the element of every end tag, so that 100,000 open
/// elements and as many stray end tags cost 10^10 comparisons, and no callback can stop it. Here a
/// start tag past the depth limit is not passed on, nor an end tag that closes nothing; and what an
/// end tag closes is known without a search, however much is open.
struct OpenElements {
  /// An open element.
  struct Element {
    var tag: Tag
    /// The next one outwards of its tag, and of its strength; -1 for none.
    fileprivate var outerOfTag: Int16
    fileprivate var outerOfStrength: Int16
  }

  /// The outermost first.
  private(set) var elements: [Element] = []
  private let limit: Int
  /// The innermost element of each tag, by raw value, and of each strength; -1 for none.
  private var lastOfTag = [Int16](repeating: -1, count: Tag.allCases.count)
  private var lastOfStrength = SIMD8<Int16>(repeating: -1)
  private var literals = 0

  /// How hard an element is to close from inside: an end tag passes over no stronger one.
  private enum Strength: Int {
    // A paragraph or an item ends with what surrounds it, but ends no other block.
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

  /// No open elements, of which there may be so many: less than 32,768.
  init(limit: Int) { self.limit = min(limit, Int(Int16.max)) }

  /// Whether an element is open whose text is shown as it is written.
  var isLiteral: Bool { literals > 0 }

  /// Opens an element; false when it is too deep to be passed on.
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

  /// Where the element is that an end tag closes, with all that is open in it; nil when none is
  /// open that it may close.
  func index(closing tag: Tag) -> Int? {
    let index = lastOfTag[Int(tag.rawValue)]
    guard index >= 0 else { return nil }
    for stronger in (Strength(tag).rawValue + 1)..<8 where lastOfStrength[stronger] > index {
      return nil
    }
    return Int(index)
  }

  /// Closes an element with all that is open in it.
  mutating func close(from index: Int) {
    while elements.count > index { removeLast() }
  }

  private mutating func removeLast() {
    guard let element = elements.popLast() else { return }
    lastOfTag[Int(element.tag.rawValue)] = element.outerOfTag
    lastOfStrength[Strength(element.tag).rawValue] = element.outerOfStrength
    if Tag.literal.contains(element.tag) { literals -= 1 }
  }

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
}
