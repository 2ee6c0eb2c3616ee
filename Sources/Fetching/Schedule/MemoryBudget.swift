import Synchronization

/// A limit on the memory for pages that are read in parallel.
///
/// Further pages wait. Reading a page takes many times the page's size. Pages are admitted in
/// order, so that small pages do not overtake a large page forever. If no page is being read, the
/// next page is admitted even if it exceeds the limit.
final class MemoryBudget: Sendable {
  /// Memory that is reserved for a page until this object is released.
  final class Reservation: Sendable {
    private let budget: MemoryBudget
    private let bytes: Int

    fileprivate init(_ budget: MemoryBudget, _ bytes: Int) {
      self.budget = budget
      self.bytes = bytes
    }

    deinit { budget.release(bytes) }
  }

  private struct State {
    var used = 0
    var pages = 0
    var waiting = Queue<(bytes: Int, resume: CheckedContinuation<Void, Never>)>()
    /// The page that will be admitted next.
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

  /// - Parameter capacity: The maximum number of bytes for all pages together. A single page may
  ///   exceed it.
  init(capacity: Int = 400 << 20) {
    self.capacity = capacity
  }

  /// The number of bytes that are reserved.
  var used: Int { state.withLock { $0.used } }

  /// The number of pages that wait for memory.
  var waiting: Int { state.withLock { $0.waiting.count + ($0.next == nil ? 0 : 1) } }

  /// Reserves the given number of bytes for a page, waiting until there is enough memory.
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

  private func release(_ bytes: Int) {
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

  /// Returns the bytes of memory that reading a document of `count` bytes needs.
  ///
  /// `start` contains the first bytes of the document. Measured with documents of 20 MB, each byte
  /// of HTML, text or Markdown needs 5 to 13 bytes, and each byte of JSON needs 26. Above 5 MB, a
  /// page that consists of tags can have a million nodes, which is the maximum.
  static func need(of count: Int, start: some Sequence<UInt8>) -> Int {
    let isJSON = start.first { $0 > 0x20 } == UInt8(ascii: "{")
    return (1 << 20) + max(count * (isJSON ? 28 : 14), min(count * 50, 240 << 20))
  }
}
