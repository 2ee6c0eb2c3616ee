import Core

/// A column of a table.
public struct TableColumn: Sendable, Hashable {
  /// The heading.
  public var heading: String
  /// The importance: if there is little room, important columns keep their width longest.
  public var importance: Int
  /// The minimum number of cells; a column that would be narrower is dropped.
  public var leastWidth: Int
  /// The minimum width in a table of one row, so that rows printed one by one align.
  public var usualWidth: Int
  /// The kind of contents, which determines the alignment and the way to cut.
  public var kind: Kind

  /// The kind of a column's contents.
  public enum Kind: Sendable, Hashable {
    /// Words: aligned left, cut at the end.
    case words
    /// Numbers: aligned right and never cut, because a cut number is a different number.
    case number
    /// A plot: never cut.
    case plot
    /// A path: cut at the beginning, because its end is more specific.
    case path
  }

  /// Creates a column.
  public init(
    _ heading: String, _ kind: Kind = .words, importance: Int, leastWidth: Int = 4,
    usualWidth: Int = 0
  ) {
    self.heading = heading
    self.kind = kind
    self.importance = importance
    self.leastWidth = leastWidth
    self.usualWidth = usualWidth
  }
}

/// A cell of a row.
public struct TableCell: Sendable, Hashable {
  /// The text.
  public var text: String
  /// The look of the text.
  public var look: Look

  /// Creates a cell of untrusted text, which is put on one line with visible control characters.
  public init(_ text: String, _ look: Look = .plain) {
    self.text = Visible.line(text)
    self.look = look
  }

  /// Creates a cell of trusted text, in which spaces are preserved.
  init(drawn text: String, _ look: Look = .plain) {
    self.text = text
    self.look = look
  }

  /// A cell without text.
  public static let empty = TableCell("")
}
