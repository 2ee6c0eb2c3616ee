import Core
import Foundation

/// How much one extraction has done, and the moment after which it gives up, in CPU time of its
/// thread.
///
/// A page that is read on a machine with much else to do is no slower a page. The thread that makes
/// the deadline is the one that asks for it.
///
/// Every loop whose length a page decides counts its steps here: so the clock is looked at wherever
/// time goes, and how steps grow with a document can be told without a clock.
package final class Deadline {
  private struct Count {
    var steps = 0
    var nextLook = Deadline.stride
    var isLate = false
  }

  /// Behind a pointer, since Swift asks at run time who else uses a class's own members, which takes
  /// longer than all the steps.
  private let count: UnsafeMutablePointer<Count>
  private let end: Double

  /// Steps between two looks at the clock, which is less than a millisecond.
  private static let stride = 1 << 16

  /// Begins, with so much time.
  package init(seconds: Double) {
    end = Self.now + (seconds.isFinite ? max(seconds, 0) : .infinity)
    count = .allocate(capacity: 1)
    count.initialize(to: Count())
  }

  deinit { count.deallocate() }

  /// Steps that were counted.
  package var steps: Int { count.pointee.steps }

  /// Whether a look at the clock found that the time is over; it stays so.
  var isLate: Bool { count.pointee.isLate }

  /// Counts steps; false once the time is over, when a loop does best to end.
  @inline(__always)
  @discardableResult
  func spend(_ steps: Int) -> Bool {
    count.pointee.steps &+= steps
    if count.pointee.steps >= count.pointee.nextLook { look() }
    return !count.pointee.isLate
  }

  /// Looks at the clock between two parts of the work.
  ///
  /// - Throws: ``Failure`` with `timeout` when the time is over.
  func check() throws(Failure) {
    look()
    if isLate { throw .extractionDeadline }
  }

  @inline(never)
  private func look() {
    count.pointee.nextLook = steps + Self.stride
    if !isLate { count.pointee.isLate = Self.now >= end }
  }

  /// What the thread has used, in seconds (clock_gettime(2)).
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension Failure {
  /// The extraction took longer than it was given.
  static var extractionDeadline: Failure {
    Failure(.timeout, "the page took too long to read", kind: .tooSlow)
  }
}
