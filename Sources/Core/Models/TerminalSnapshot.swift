/// What a terminal shows at one moment.
public struct TerminalSnapshot: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "terminalSnapshot"

  /// When it was taken, in milliseconds since 1970.
  public var ts: Int64
  /// The pane, such as `%0`.
  public var paneId: String
  /// Its columns.
  public var width: Int
  /// Its lines.
  public var height: Int
  /// The cursor's column, from 0.
  public var cursorX: Int
  /// The cursor's line on the screen, from 0.
  public var cursorY: Int
  /// Whether the cursor is shown.
  public var cursorVisible: Bool
  /// Whether a program has the alternate screen, as editors do.
  public var alternateOn: Bool
  /// How many lines of `text` are from above the screen.
  public var historyLines: Int
  /// Whether `text` has the escape sequences of colours and attributes.
  public var escapes: Bool
  /// The lines, each with its end.
  public var text: String
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
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
