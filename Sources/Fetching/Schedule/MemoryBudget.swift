import Synchronization

/// Lets pages be read side by side for as long as there is memory for all of them; the others wait.
///
/// A page takes many times its bytes while it is read: nodes, what is known of each, its text in two
/// forms. Those that wait are let in in their order, so that a large one is not passed by for ever;
/// and one is always read, however large it is.
final class MemoryBudget: Sendable {
  /// Memory that is kept for a page until nobody holds this any more.
  final class Reservation: Sendable {
    private let budget: MemoryBudget
    private let bytes: Int

    fileprivate init(_ budget: MemoryBudget, _ bytes: Int) {
      self.budget = budget
      self.bytes = bytes
    }

    deinit { budget.give(bytes) }
  }

  private struct State {
    var used = 0
    var pages = 0
    var waiting = Queue<(bytes: Int, resume: CheckedContinuation<Void, Never>)>()
    /// The first of those that wait.
    var next: (bytes: Int, resume: CheckedContinuation<Void, Never>)?

    mutating func admits(_ bytes: Int, _ capacity: Int) -> Bool {
      guard pages == 0 || bytes <= capacity - used else { return false }
      pages += 1
      used += bytes
      return true
    }
  }

  private let capacity: Int
  private let state = Mutex(State())

  /// - Parameter capacity: Bytes that all pages together may take; more, where one alone does.
  init(capacity: Int = 400 << 20) {
    self.capacity = capacity
  }

  /// Bytes that are kept now.
  var used: Int { state.withLock { $0.used } }

  /// How many wait.
  var waiting: Int { state.withLock { $0.waiting.count + ($0.next == nil ? 0 : 1) } }

  /// Waits until there is memory for a page.
  func reserve(_ bytes: Int) async -> Reservation {
    await withCheckedContinuation { continuation in
      let isAdmitted = state.withLock { state in
        if state.next == nil, state.admits(bytes, capacity) { return true }
        if state.next == nil {
          state.next = (bytes, continuation)
        } else {
          state.waiting.append((bytes, continuation))
        }
        return false
      }
      if isAdmitted { continuation.resume() }
    }
    return Reservation(self, bytes)
  }

  private func give(_ bytes: Int) {
    let admitted = state.withLock { state in
      state.pages -= 1
      state.used -= bytes
      var admitted: [CheckedContinuation<Void, Never>] = []
      while let next = state.next, state.admits(next.bytes, capacity) {
        admitted.append(next.resume)
        state.next = state.waiting.next()
      }
      return admitted
    }
    for continuation in admitted { continuation.resume() }
  }

  /// What reading a document takes, in bytes, by its length and its start.
  ///
  /// Measured at 20 MB: 5 to 13 bytes for each byte of HTML, of text and of Markdown, 26 of JSON. What
  /// a million nodes take, the most that are kept, a page of nothing but tags takes from 5 MB on.
  static func need(of count: Int, start: some Sequence<UInt8>) -> Int {
    let isJSON = start.first { $0 > 0x20 } == UInt8(ascii: "{")
    return (1 << 20) + max(count * (isJSON ? 28 : 14), min(count * 50, 240 << 20))
  }
}
