/// A run of a program on one text.
struct PatternRun {
  let program: PatternProgram
  let text: [Unicode.Scalar]
  /// For each step, the position at which it was last tried.
  ///
  /// A step is not tried there again.
  private var tried: [Int]
  private var pending: [Int] = []

  init(_ program: PatternProgram, on text: [Unicode.Scalar]) {
    self.program = program
    self.text = text
    tried = Array(repeating: -1, count: program.steps.count)
  }

  /// Returns `true` if the program matches at `place`.
  ///
  /// With `anywhere`, it may also match at a later position.
  ///
  /// - Throws: ``SchemaProblem`` if the limit of work is exceeded.
  mutating func finds(
    from place: Int = 0, anywhere: Bool, _ work: inout CheckingWork
  ) throws(SchemaProblem) -> Bool {
    try work.spend(1 + program.steps.count / 16)
    let (end, stride) = program.isBackwards ? (0, -1) : (text.count, 1)
    var place = place
    var current: [Int] = []
    var isFirst = true
    while true {
      if isFirst || anywhere, try follow(0, at: place, into: &current, &work) { return true }
      isFirst = false
      let isHopeless = current.isEmpty && (!anywhere || program.isAnchored)
      guard place != end, !isHopeless else { return false }
      let scalar = text[program.isBackwards ? place - 1 : place]
      place += stride
      var following: [Int] = []
      for step in current {
        guard case .one(let set) = program.steps[step], program.sets[set].has(scalar) else {
          continue
        }
        if try follow(step + 1, at: place, into: &following, &work) { return true }
      }
      try work.spend(1 + current.count)
      current = following
    }
  }

  /// Finds all steps that consume a character and can be reached from `step`.
  ///
  /// - Returns: `true` if the end of the program can be reached.
  private mutating func follow(
    _ step: Int, at place: Int, into reached: inout [Int], _ work: inout CheckingWork
  ) throws(SchemaProblem) -> Bool {
    pending.append(step)
    while let step = pending.popLast() {
      guard tried[step] != place else { continue }
      tried[step] = place
      try work.spend(1)
      switch program.steps[step] {
      case .one: reached.append(step)
      case .jump(let other): pending.append(other)
      case .split(let one, let other): pending += [other, one]
      case .start: if place == 0 { pending.append(step + 1) }
      case .end: if place == text.count { pending.append(step + 1) }
      case .boundary(let isNegated):
        if isBoundary(place) != isNegated { pending.append(step + 1) }
      case .lookaround(let index, let isNegated):
        var look = PatternRun(program.lookarounds[index], on: text)
        if try look.finds(from: place, anywhere: false, &work) != isNegated {
          pending.append(step + 1)
        }
      case .found: return true
      }
    }
    return false
  }

  private func isBoundary(_ place: Int) -> Bool {
    isWordPart(place - 1) != isWordPart(place)
  }

  private func isWordPart(_ index: Int) -> Bool {
    text.indices.contains(index)
      && ScalarSet.wordParts.contains { $0.contains(text[index].value) }
  }
}
