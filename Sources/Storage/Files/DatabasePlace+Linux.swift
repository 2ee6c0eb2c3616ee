#if os(Linux)
  import Foundation

  extension DatabasePlace {
    /// When a file was changed: seconds and nanoseconds.
    static func changedAt(_ status: stat) -> [Int] {
      [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
  }
#endif
