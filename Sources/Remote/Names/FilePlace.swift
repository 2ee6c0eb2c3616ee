import Core

/// A line of a file, such as a line of known_hosts.
public struct FilePlace: Sendable, Hashable, CustomStringConvertible {
  /// The path of the file.
  public var file: String
  /// The line number, counted from 1.
  public var line: Int

  /// The path and the line number, separated by a colon.
  public var description: String { "\(Visible.text(file)):\(line)" }
}
