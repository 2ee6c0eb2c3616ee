public import Core
import Foundation

extension EventLog: EventEngine, EventRetention {
  /// Rests on `FileWatch`: every process that adds an event writes to the folder of the log.
  public func wakeUp(_ interruption: Interruption) throws(Failure) -> EventWakeUp {
    let watch = try FileWatch(folder: folder, interruption: interruption)
    return EventWakeUp { (milliseconds) throws(Failure) in
      try watch.hasChanged(within: milliseconds)
    }
  }
}

extension EventPlace {
  /// The log of SQLite in the data folder of some directories.
  public static func database(_ directories: Directories) -> EventPlace {
    let path = EventLog.path(directories)
    return EventPlace {
      // A log that was cut to nothing is made anew by whoever adds to it.
      var status = stat()
      return stat(path, &status) == 0 && status.st_size > 0
    } open: { () throws(Failure) in
      try EventLog(directories)
    }
  }
}
