import Core
import Foundation

/// A limit on the CPU time that one extraction may use, and a count of its steps.
///
/// CPU time is used so that other load on the machine does not count against a page. The thread
/// that creates the deadline must also check it.
///
/// Every loop whose length depends on the page counts its steps here. Each such loop therefore
/// checks the clock from time to time, and tests can measure work without a clock.
package final class Deadline {
  private struct Count {
    var steps = 0
    var nextLook = Deadline.stride
    var isLate = false
  }

  /// The counters.
  ///
  /// They are behind a pointer, because exclusivity checks on a stored property of a class would
  /// take more time than the counted steps.
  private let count: UnsafeMutablePointer<Count>
  private let end: Double

  /// The number of steps between two readings of the clock.
  ///
  /// They take less than a millisecond.
  private static let stride = 1 << 16

  /// Creates a deadline that passes when the thread has used the given seconds of CPU time.
  package init(seconds: Double) {
    end = Self.now + (seconds.isFinite ? max(seconds, 0) : .infinity)
    count = .allocate(capacity: 1)
    count.initialize(to: Count())
  }

  deinit { count.deallocate() }

  /// The number of steps counted so far.
  package var steps: Int { count.pointee.steps }

  /// `true` if the deadline had passed when the clock was last read.
  var isLate: Bool { count.pointee.isLate }

  /// Counts the given number of steps.
  ///
  /// - Returns: `false` if the deadline has passed, so that the caller's loop must end.
  @inline(__always)
  @discardableResult
  func spend(_ steps: Int) -> Bool {
    count.pointee.steps &+= steps
    if count.pointee.steps >= count.pointee.nextLook { look() }
    return !count.pointee.isLate
  }

  /// Checks the deadline between two phases of the work.
  ///
  /// - Throws: `Timeout` if the deadline has passed.
  func check() throws(Failure) {
    look()
    if isLate { throw .extractionDeadline }
  }

  @inline(never)
  private func look() {
    count.pointee.nextLook = steps + Self.stride
    if !isLate { count.pointee.isLate = Self.now >= end }
  }

  /// The CPU time, in seconds, that the current thread has used (clock_gettime(2)).
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension Failure {
  /// The failure that reports an extraction that exceeded its deadline.
  static var extractionDeadline: Failure {
    Failure(.timeout, "the page took too long to read", kind: .tooSlow)
  }
}
