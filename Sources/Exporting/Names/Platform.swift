import Foundation

#if canImport(Darwin)
  extension stat {
    /// The time of the last change to a folder's names.
    var changed: timespec { st_mtimespec }
  }
#else
  extension stat {
    /// The time of the last change to a folder's names.
    var changed: timespec { st_mtim }
  }
#endif
