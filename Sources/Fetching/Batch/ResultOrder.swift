/// A buffer of results that can restore the order in which the work was started.
struct ResultOrder<Result> {
  let isKept: Bool
  private var begun = 0
  private var delivered = 0
  private var waiting: [Int: Result] = [:]

  init(isKept: Bool) {
    self.isKept = isKept
  }

  /// The number of pieces of work that were started but whose results were not delivered yet.
  var unfinished: Int { begun - delivered }

  /// Starts a piece of work, and returns the number that identifies it.
  mutating func begin() -> Int {
    defer { begun += 1 }
    return begun
  }

  /// Stores the result of the work with the given number.
  ///
  /// - Returns: The results that must be delivered now.
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
