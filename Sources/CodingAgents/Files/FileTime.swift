public import Core
import Foundation

/// The times of files.
public enum FileTime {
  /// Returns the time at which the given file was last written; nil if it does not exist.
  public static func changed(_ path: String) -> Timestamp? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.modificationDate] as? Date).map {
      Timestamp(milliseconds: Int64($0.timeIntervalSince1970 * 1000))
    }
  }
}
