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

extension SelectorNames {
  /// The condition that an element has a name.
  mutating func condition(ofTag name: [UInt8]) -> Selector.Condition {
    let known = Tag.named(NameHash.of(name))
    // The scanner writes elements that it does not know as this one.
    return known != .inline && known != .span ? .tag(known) : .otherTag(place(ofTag: name))
  }
}
