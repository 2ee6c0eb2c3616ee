import Core
import Foundation

/// The step count of one extraction and its limit in CPU time of the current thread.
///
/// CPU time is used so that a page is not charged for other load on the machine. The thread that
/// creates the deadline must be the one that checks it.
///
/// Every loop whose length a page decides counts its steps here. The clock is therefore read in
/// each such loop, and tests can measure how steps grow with a document without a clock.
package final class Deadline {
  private struct Count {
    var steps = 0
    var nextLook = Deadline.stride
    var isLate = false
  }

  /// A pointer, since exclusivity checks on a class's stored properties cost more time than the
  /// steps they would count.
  private let count: UnsafeMutablePointer<Count>
  private let end: Double

  /// Steps between two readings of the clock, less than a millisecond of work.
  private static let stride = 1 << 16

  /// Creates a deadline that many seconds of CPU time from now.
  package init(seconds: Double) {
    end = Self.now + (seconds.isFinite ? max(seconds, 0) : .infinity)
    count = .allocate(capacity: 1)
    count.initialize(to: Count())
  }

  deinit { count.deallocate() }

  /// The number of steps counted so far.
  package var steps: Int { count.pointee.steps }

  /// `true` once a reading of the clock found the deadline passed.
  var isLate: Bool { count.pointee.isLate }

  /// Counts steps and returns `false` once the deadline has passed; the loop should then end.
  @inline(__always)
  @discardableResult
  func spend(_ steps: Int) -> Bool {
    count.pointee.steps &+= steps
    if count.pointee.steps >= count.pointee.nextLook { look() }
    return !count.pointee.isLate
  }

  /// Reads the clock between two phases of the work.
  ///
  /// - Throws: ``Failure`` with `timeout` if the deadline has passed.
  func check() throws(Failure) {
    look()
    if isLate { throw .extractionDeadline }
  }

  @inline(never)
  private func look() {
    count.pointee.nextLook = steps + Self.stride
    if !isLate { count.pointee.isLate = Self.now >= end }
  }

  /// The CPU time that the thread has used, in seconds (clock_gettime(2)).
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension Failure {
  /// The failure of an extraction that exceeded its deadline.
  static var extractionDeadline: Failure {
    Failure(.timeout, "the page took too long to read", kind: .tooSlow)
  }
}
