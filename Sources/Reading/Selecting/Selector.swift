/// A CSS selector.
///
/// The supported parts of Selectors Level 4 are types, `*`, classes, ids, attributes with all
/// operators, the four combinators, lists, `:not()`, `:is()`, `:where()`, `:root`, `:empty`, and
/// the positions among siblings, `:nth-child()` and its variants.
struct Selector {
  /// One condition on one element.
  enum Condition {
    case tag(Tag)
    /// A tag unknown to reading, by its index in ``SelectorNames/tags``.
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

  /// The comparison of an attribute's value.
  enum Operator {
    case exists, equals, includes, dashes, begins, ends, contains
  }

  /// A place among an element's siblings, one of `step * n + start`.
  struct Position {
    var step: Int
    var start: Int
    var countsFromEnd = false
    var isOfType = false

    func holds(_ index: Int) -> Bool {
      step == 0 ? index == start : (index - start) % step == 0 && (index - start) / step >= 0
    }
  }

  /// The relation of an element to the one before it in the selector.
  enum Combinator {
    case descendant, child, next, subsequent
  }

  /// The conditions of each element and its relation to the one before; the last element is the
  /// match.
  var steps: [(combinator: Combinator, conditions: [Condition])]
}

/// A complete selector, and the names in it that a page's tree would not store.
struct SelectorList {
  var alternatives: [Selector] = []
  var names = SelectorNames()
}

extension SelectorNames {
  /// Returns the condition that an element has a name.
  mutating func condition(ofTag name: [UInt8]) -> Selector.Condition {
    let known = Tag.named(NameHash.of(name))
    // The scanner writes unknown elements as `span`.
    return known != .inline && known != .span ? .tag(known) : .otherTag(place(ofTag: name))
  }
}
