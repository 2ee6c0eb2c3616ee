import Foundation

#if canImport(Darwin)
  extension stat {
    /// The time at which the folder's names last changed.
    var changed: timespec { st_mtimespec }
  }
#else
  extension stat {
    /// The time at which the folder's names last changed.
    var changed: timespec { st_mtim }
  }
#endif
