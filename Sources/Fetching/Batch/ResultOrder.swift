/// Puts results into the order in which their work was begun, where that is wanted.
struct ResultOrder<Result> {
  let isKept: Bool
  private var begun = 0
  private var delivered = 0
  private var waiting: [Int: Result] = [:]

  init(isKept: Bool) {
    self.isKept = isKept
  }

  /// How much work has begun whose results were not delivered.
  var unfinished: Int { begun - delivered }

  /// A number for the next piece of work.
  mutating func begin() -> Int {
    defer { begun += 1 }
    return begun
  }

  /// What is to be delivered once the result of a piece of work is there.
  mutating func end(_ result: Result, _ number: Int) -> [Result] {
    guard isKept else {
      delivered += 1
      return [result]
    }
    waiting[number] = result
    var due: [Result] = []
    while let next = waiting.removeValue(forKey: delivered) {
      due.append(next)
      delivered += 1
    }
    return due
  }
}
