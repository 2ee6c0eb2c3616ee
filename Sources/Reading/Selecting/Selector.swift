/// A selector of CSS: which elements of a page are wanted.
///
/// Of Selectors Level 4 it knows types, `*`, classes, ids, attributes with all their operators, the
/// four combinators, lists, `:not()`, `:is()`, `:where()`, `:root`, `:empty`, and the positions
/// among siblings, `:nth-child()` and its kin.
struct Selector {
  /// One condition on one element.
  enum Condition {
    case tag(Tag)
    /// A tag that reading does not tell apart, by its place in ``SelectorNames/tags``.
    case otherTag(Int)
    case id([UInt8])
    case `class`([UInt8])
    case attribute(Attribute, Operator, [UInt8], ignoresCase: Bool)
    case position(Position)
    case empty
    case root
    case matches([Selector])
    case not([Selector])
  }

  /// How the value of an attribute is compared.
  enum Operator {
    case exists, equals, includes, dashes, begins, ends, contains
  }

  /// A place among an element's siblings: one of `step * n + start`.
  struct Position {
    var step: Int
    var start: Int
    var countsFromEnd = false
    var isOfType = false

    func holds(_ index: Int) -> Bool {
      step == 0 ? index == start : (index - start) % step == 0 && (index - start) / step >= 0
    }
  }

  /// How an element stands to the one before it in the selector.
  enum Combinator {
    case descendant, child, next, subsequent
  }

  /// The conditions of each element, and how it stands to the one before; the last is wanted.
  var steps: [(combinator: Combinator, conditions: [Condition])]
}

/// A whole selector, and the names in it that a page's tree would not keep.
struct SelectorList {
  var alternatives: [Selector] = []
  var names = SelectorNames()
}

/// The names of tags and attributes, in lower case, that nothing but a selector looks at.
struct SelectorNames {
  private(set) var attributes: [[UInt8]] = []
  private(set) var tags: [[UInt8]] = []

  /// The attribute that the tree keeps a name's values in; nil when there are too many names.
  mutating func attribute(_ name: [UInt8]) -> Attribute? {
    if let known = Attribute.named(NameHash.of(name)) { return known }
    if let index = attributes.firstIndex(of: name) { return Attribute.selected[index] }
    guard attributes.count < Attribute.selected.count else { return nil }
    attributes.append(name)
    return Attribute.selected[attributes.count - 1]
  }

  /// The condition that an element has a name.
  mutating func tag(_ name: [UInt8]) -> Selector.Condition {
    let known = Tag.named(NameHash.of(name))
    // The scanner writes elements that it does not know as this one.
    if known != .inline, known != .span { return .tag(known) }
    if let index = tags.firstIndex(of: name) { return .otherTag(index) }
    tags.append(name)
    return .otherTag(tags.count - 1)
  }
}
