/// The content of a terminal at one moment.
public struct TerminalSnapshot: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "terminalSnapshot"

  /// The time of the snapshot, in milliseconds since 1970.
  public var ts: Int64
  /// The pane's id, such as `%0`.
  public var paneId: String
  /// The number of columns.
  public var width: Int
  /// The number of lines.
  public var height: Int
  /// The cursor's column, from 0.
  public var cursorX: Int
  /// The cursor's line on the screen, from 0.
  public var cursorY: Int
  /// `true` if the cursor is visible.
  public var cursorVisible: Bool
  /// `true` while a program uses the alternate screen, as editors do.
  public var alternateOn: Bool
  /// The number of lines in `text` that had scrolled off the screen.
  public var historyLines: Int
  /// `true` if `text` contains the escape sequences of colours and attributes.
  public var escapes: Bool
  /// The text of the lines that had scrolled off the screen and of the screen, with line ends.
  public var text: String
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case ts, paneId, width, height, cursorX, cursorY, cursorVisible, alternateOn, historyLines
    case escapes, text, labels
  }

  /// Creates the record.
  public init(
    ts: Int64, paneId: String, width: Int, height: Int, cursorX: Int, cursorY: Int,
    cursorVisible: Bool, alternateOn: Bool, historyLines: Int = 0, escapes: Bool, text: String
  ) {
    self.ts = ts
    self.paneId = paneId
    self.width = width
    self.height = height
    self.cursorX = cursorX
    self.cursorY = cursorY
    self.cursorVisible = cursorVisible
    self.alternateOn = alternateOn
    self.historyLines = historyLines
    self.escapes = escapes
    self.text = text
  }
}
