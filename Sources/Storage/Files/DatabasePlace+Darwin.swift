#if canImport(Darwin)
  import Foundation

  extension DatabasePlace {
    /// Returns the time at which the file last changed, as seconds and nanoseconds.
    static func changedAt(_ status: stat) -> [Int] {
      [status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec]
    }
  }
#endif
