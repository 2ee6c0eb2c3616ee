/// A limit on simultaneous tests: each has processes of its own, and a machine may have two cores.
actor Permits {
  static let shared = Permits(3)

  private var left: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) {
    left = count
  }

  func take() async {
    guard left == 0 else {
      left -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func give() {
    if waiting.isEmpty {
      left += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}
