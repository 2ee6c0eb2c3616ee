/// A first-in, first-out queue whose operations take amortized constant time.
struct Queue<Element> {
  private var elements: [Element] = []
  private var first = 0

  var isEmpty: Bool { first == elements.count }
  var count: Int { elements.count - first }

  mutating func append(_ element: Element) {
    elements.append(element)
  }

  mutating func next() -> Element? {
    guard first < elements.count else { return nil }
    defer {
      first += 1
      if first >= 64, first * 2 >= elements.count {
        elements.removeFirst(first)
        first = 0
      }
    }
    return elements[first]
  }
}
