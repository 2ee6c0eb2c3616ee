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

  /// An operator that compares the value of an attribute.
  enum Operator {
    case exists, equals, includes, dashes, begins, ends, contains
  }

  /// A set of positions among siblings, `step * n + start`.
  struct Position {
    var step: Int
    var start: Int
    var countsFromEnd = false
    var isOfType = false

    func holds(_ index: Int) -> Bool {
      step == 0 ? index == start : (index - start) % step == 0 && (index - start) / step >= 0
    }
  }

  /// The relation between two consecutive elements of a selector.
  enum Combinator {
    case descendant, child, next, subsequent
  }

  /// The conditions of each element, and its relation to the element before; the last step
  /// describes the matched elements.
  var steps: [(combinator: Combinator, conditions: [Condition])]
}

/// A complete selector, and the names in it that a page's tree would otherwise not store.
struct SelectorList {
  var alternatives: [Selector] = []
  var names = SelectorNames()
}

extension SelectorNames {
  /// Returns the condition that an element has the given name.
  mutating func condition(ofTag name: [UInt8]) -> Selector.Condition {
    let known = Tag.named(NameHash.of(name))
    // The scanner writes unknown elements as `span`.
    return known != .inline && known != .span ? .tag(known) : .otherTag(place(ofTag: name))
  }
}
