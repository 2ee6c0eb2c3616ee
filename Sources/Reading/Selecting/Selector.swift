/// A CSS selector.
///
/// The following parts of Selectors Level 4 are supported: types, `*`, classes, ids, attributes
/// with all operators, the four combinators, lists, `:not()`, `:is()`, `:where()`, `:root`,
/// `:empty`, and `:nth-child()` with its variants.
struct Selector {
  /// One condition that an element must meet.
  enum Condition {
    case tag(Tag)
    /// A tag that reading does not distinguish, by its index in ``SelectorNames/tags``.
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

  /// An operator that compares an attribute's value with a text.
  enum Operator {
    case exists, equals, includes, dashes, begins, ends, contains
  }

  /// The set of positions among siblings that have the form `step * n + start`.
  struct Position {
    var step: Int
    var start: Int
    var countsFromEnd = false
    var isOfType = false

    func holds(_ index: Int) -> Bool {
      step == 0 ? index == start : (index - start) % step == 0 && (index - start) / step >= 0
    }
  }

  /// The relation that a selector requires between two consecutive elements.
  enum Combinator {
    case descendant, child, next, subsequent
  }

  /// The steps of the selector.
  ///
  /// A step has the conditions of an element and its relation to the previous step's element. The
  /// last step describes the elements that match.
  var steps: [(combinator: Combinator, conditions: [Condition])]
}

/// A complete selector, with the names in it that a page's tree would otherwise not store.
struct SelectorList {
  var alternatives: [Selector] = []
  var names = SelectorNames()
}

extension SelectorNames {
  /// Returns the condition that an element's tag has the given name.
  mutating func condition(ofTag name: [UInt8]) -> Selector.Condition {
    let known = Tag.named(NameHash.of(name))
    // The scanner writes unknown elements as `span`.
    return known != .inline && known != .span ? .tag(known) : .otherTag(place(ofTag: name))
  }
}
