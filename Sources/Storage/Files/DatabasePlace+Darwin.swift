#if canImport(Darwin)
  import Foundation

  extension DatabasePlace {
    /// When a file was changed: seconds and nanoseconds.
    static func changedAt(_ status: stat) -> [Int] {
      [status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec]
    }
  }
#endif
