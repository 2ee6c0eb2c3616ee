#if os(Linux)
  import Foundation

  extension DatabasePlace {
    /// Returns the time of a file's last change: seconds and nanoseconds.
    static func changedAt(_ status: stat) -> [Int] {
      [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
  }
#endif
