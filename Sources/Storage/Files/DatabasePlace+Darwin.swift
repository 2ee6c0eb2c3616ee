#if canImport(Darwin)
  import Foundation

  extension DatabasePlace {
    /// Returns the time of a file's last change: seconds and nanoseconds.
    static func changedAt(_ status: stat) -> [Int] {
      [status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec]
    }
  }
#endif
