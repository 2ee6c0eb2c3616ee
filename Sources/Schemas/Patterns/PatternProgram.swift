/// A regular expression that is compiled to steps, which are followed in parallel.
///
/// Each step is tried at most once at each position of the text. The work is therefore at most the
/// number of steps times the length of the text.
struct PatternProgram: Sendable {
  enum Step: Sendable {
    /// Consumes one character of the set with the given index, and continues with the next step.
    case one(Int)
    case split(Int, Int)
    case jump(Int)
    case start
    case end
    case boundary(isNegated: Bool)
    case lookaround(Int, isNegated: Bool)
    case found
  }

  /// The maximum number of steps.
  ///
  /// The expression `a{1000}` alone has a thousand.
  static let mostSteps = 200_000

  private(set) var steps: [Step] = []
  private(set) var sets: [ScalarSet] = []
  /// The programs of the expression's lookaheads and lookbehinds.
  private(set) var lookarounds: [PatternProgram] = []
  /// `true` if the program reads toward the start of the text, as a lookbehind does.
  let isBackwards: Bool

  /// The number of steps, including those of lookaheads and lookbehinds.
  private var count = 0

  /// Compiles the given regular expression.
  ///
  /// - Throws: ``PatternError`` if the program would have too many steps.
  init(_ tree: PatternTree) throws(PatternError) {
    try self.init(tree, isBackwards: false, after: 0)
  }

  private init(_ tree: PatternTree, isBackwards: Bool, after count: Int) throws(PatternError) {
    self.isBackwards = isBackwards
    self.count = count
    try add(tree: tree)
    try add(.found)
  }

  /// `true` if a match can begin only at the start of the text.
  var isAnchored: Bool {
    if case .start = steps.first { true } else { false }
  }

  private mutating func add(_ step: Step) throws(PatternError) {
    if count >= Self.mostSteps { throw PatternError(reason: "it is too large") }
    count += 1
    steps.append(step)
  }

  private mutating func add(tree: PatternTree) throws(PatternError) {
    switch tree {
    case .nothing: break
    case .one(let set):
      sets.append(set)
      try add(.one(sets.count - 1))
    case .sequence(let parts):
      for part in isBackwards ? parts.reversed() : parts { try add(tree: part) }
    case .choice(let choices): try add(choices: choices)
    case .repeated(let part, let least, let most): try add(part, least: least, most: most)
    case .start: try add(.start)
    case .end: try add(.end)
    case .boundary(let isNegated): try add(.boundary(isNegated: isNegated))
    case .lookaround(let inner, let isAhead, let isNegated):
      let look = try PatternProgram(inner, isBackwards: !isAhead, after: count)
      count = look.count
      lookarounds.append(look)
      try add(.lookaround(lookarounds.count - 1, isNegated: isNegated))
    }
  }

  private mutating func add(choices: [PatternTree]) throws(PatternError) {
    var exits: [Int] = []
    for choice in choices.dropLast() {
      let split = steps.count
      try add(.split(split + 1, 0))
      try add(tree: choice)
      exits.append(steps.count)
      try add(.jump(0))
      steps[split] = .split(split + 1, steps.count)
    }
    if let last = choices.last { try add(tree: last) }
    for exit in exits { steps[exit] = .jump(steps.count) }
  }

  private mutating func add(_ part: PatternTree, least: Int, most: Int?) throws(PatternError) {
    // A part that compiles to no steps needs no repetition.
    for _ in 0..<least {
      let began = steps.count
      try add(tree: part)
      if steps.count == began { return }
    }
    guard let most else {
      let split = steps.count
      try add(.split(split + 1, 0))
      try add(tree: part)
      try add(.jump(split))
      steps[split] = .split(split + 1, steps.count)
      return
    }
    var splits: [Int] = []
    for _ in least..<most {
      let split = steps.count
      try add(.split(split + 1, 0))
      try add(tree: part)
      guard steps.count > split + 1 else {
        steps.removeLast()
        break
      }
      splits.append(split)
    }
    for split in splits { steps[split] = .split(split + 1, steps.count) }
  }
}
