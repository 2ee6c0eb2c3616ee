import Core

/// A column of a table.
public struct TableColumn: Sendable, Hashable {
  /// The heading.
  public var heading: String
  /// The importance of the column.
  ///
  /// Important columns are the last to lose width.
  public var importance: Int
  /// The minimum number of cells.
  ///
  /// A column that would be narrower is dropped.
  public var leastWidth: Int
  /// The minimum width in a table of one row.
  ///
  /// It aligns rows that are printed one by one.
  public var usualWidth: Int
  /// The kind of contents.
  ///
  /// It determines the alignment and the way to cut a cell.
  public var kind: Kind

  /// The kind of a column's contents.
  public enum Kind: Sendable, Hashable {
    /// Words, which are aligned left and cut at the end.
    case words
    /// Numbers, which are aligned right. They are never cut, because a cut number is another
    /// number.
    case number
    /// A plot, which is never cut.
    case plot
    /// A path, which is cut at the beginning, because its end is more specific.
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

  /// Creates a cell with the given untrusted text.
  ///
  /// The text is put on one line, and its control characters are made visible.
  public init(_ text: String, _ look: Look = .plain) {
    self.text = Visible.line(text)
    self.look = look
  }

  /// Creates a cell with the given trusted text.
  ///
  /// Its spaces are preserved.
  init(drawn text: String, _ look: Look = .plain) {
    self.text = text
    self.look = look
  }

  /// A cell without text.
  public static let empty = TableCell("")
}
