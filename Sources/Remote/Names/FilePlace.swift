import Core

/// A line of a file, such as where a host's key is recorded.
public struct FilePlace: Sendable, Hashable, CustomStringConvertible {
  /// The path of the file.
  public var file: String
  /// The line, the first one being 1.
  public var line: Int

  /// The path and the line, with a colon between them.
  public var description: String { "\(Visible.text(file)):\(line)" }
}
