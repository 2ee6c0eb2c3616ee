public import Core
import Foundation

extension EventLog: EventEngine, EventRetention {
  /// Watches the folder of the log with `FileWatch`, because every writer changes a file in that
  /// folder.
  public func wakeUp(_ interruption: Interruption) throws(Failure) -> EventWakeUp {
    let watch = try FileWatch(folder: folder, interruption: interruption)
    return EventWakeUp { (milliseconds) throws(Failure) in
      try watch.hasChanged(within: milliseconds)
    }
  }
}

extension EventPlace {
  /// Returns the place of the SQLite log in the data folder of the given directories.
  public static func database(_ directories: Directories) -> EventPlace {
    let path = EventLog.path(directories)
    return EventPlace {
      // A truncated log is recreated by the next writer.
      var status = stat()
      return stat(path, &status) == 0 && status.st_size > 0
    } open: { () throws(Failure) in
      try EventLog(directories)
    }
  }
}
