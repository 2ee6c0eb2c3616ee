#if os(Linux)
  import Foundation

  extension DatabasePlace {
    /// Returns the time at which the file last changed, as seconds and nanoseconds.
    static func changedAt(_ status: stat) -> [Int] {
      [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
  }
#endif
