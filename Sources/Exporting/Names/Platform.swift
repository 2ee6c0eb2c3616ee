import Foundation

#if canImport(Darwin)
  extension stat {
    /// When a folder's names changed last.
    var changed: timespec { st_mtimespec }
  }
#else
  extension stat {
    /// When a folder's names changed last.
    var changed: timespec { st_mtim }
  }
#endif
