import Core

/// A line of a file, such as the entry of a host key.
public struct FilePlace: Sendable, Hashable, CustomStringConvertible {
  /// The path of the file.
  public var file: String
  /// The line number, from 1.
  public var line: Int

  /// The path and the line, with a colon between them.
  public var description: String { "\(Visible.text(file)):\(line)" }
}
