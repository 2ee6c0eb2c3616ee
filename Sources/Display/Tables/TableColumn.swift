import Core

/// A column of a table.
public struct TableColumn: Sendable, Hashable {
  /// What stands above it.
  public var heading: String
  /// The more it matters, the longer it keeps its width where there is little room.
  public var importance: Int
  /// It is not cut to fewer cells: it goes as a whole.
  public var leastWidth: Int
  /// What is kept of a row by itself, so that the next that comes stands below it.
  public var usualWidth: Int
  /// How its text stands in it.
  public var kind: Kind

  /// What a column holds.
  public enum Kind: Sendable, Hashable {
    /// Words: at the left, cut at the end.
    case words
    /// Numbers: at the right, and never cut: what is left would be another number.
    case number
    /// A picture: never cut.
    case plot
    /// A path: cut at the beginning, since its end tells more.
    case path
  }

  /// A column.
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

/// What stands in a column of a row.
public struct TableCell: Sendable, Hashable {
  /// Its text.
  public var text: String
  /// How it stands out.
  public var look: Look

  /// Text from anywhere: it is made visible, on one line.
  public init(_ text: String, _ look: Look = .plain) {
    self.text = Visible.line(text)
    self.look = look
  }

  /// Text that is ours, spaces and all.
  init(drawn text: String, _ look: Look = .plain) {
    self.text = text
    self.look = look
  }

  /// Nothing.
  public static let empty = TableCell("")
}
