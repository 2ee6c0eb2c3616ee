public import Core

/// The screen of a pane at one moment, as captured by tmux.
public struct TmuxScreen: Sendable, Hashable {
  /// The maximum number of lines above the screen that are captured.
  public static let maximumHistory = 100_000
  /// The maximum size of a capture, in bytes.
  public static let maximumBytes = 16 << 20

  /// The format of the line that tmux prints before the captured lines.
  static let format =
    marker + "#{pane_id} #{pane_width} #{pane_height} #{cursor_x} #{cursor_y} #{cursor_flag} "
    + "#{alternate_on} #{history_size} #{window_width} #{window_height} #{version} "

  private static let marker = "agentpipes-screen/1 "

  /// The ID of the pane, such as `%1`.
  public var pane: String
  /// The number of columns of the pane.
  public var width: Int
  /// The number of lines of the pane.
  public var height: Int
  /// The cursor's column, counted from 0.
  public var cursorX: Int
  /// The cursor's line, counted from 0.
  public var cursorY: Int
  /// `true` if the cursor is visible.
  public var isCursorVisible: Bool
  /// `true` while a program uses the alternate screen, as editors do.
  public var isAlternate: Bool
  /// The number of columns of the pane's window.
  public var windowWidth: Int
  /// The number of lines of the pane's window.
  public var windowHeight: Int
  /// `true` if the host's tmux joins several code points into one character, as version 3.4 does.
  public var joinsEmoji: Bool
  /// The number of captured lines above the screen.
  public var historyLines: Int
  /// The captured lines without line ends: ``historyLines`` lines above the screen, then the
  /// screen.
  public var lines: [ArraySlice<UInt8>]

  /// Parses the answer to ``TmuxCommand/capture(_:escapes:history:tmux:)``.
  ///
  /// - Parameters:
  ///   - answer: The answer to the command.
  ///   - target: The session or pane that was captured.
  ///   - host: The host's name, for messages.
  ///   - history: The requested number of lines above the screen.
  /// - Throws: `TmuxSessionNotFound` if the session does not exist; `InvalidResponse` if the answer
  ///   cannot be parsed or is cut off; the errors of ``TmuxAnswer/check(_:on:)``.
  public init(
    _ answer: TmuxAnswer, of target: TmuxTarget, on host: String, history: Int = 0
  ) throws(Failure) {
    try answer.check(target, on: host)
    guard answer.output.count <= Self.maximumBytes,
      var reader = FieldReader(answer.output[...], after: Self.marker), let pane = reader.word()
    else { throw Self.unreadable(host) }
    // If the session is about to end, tmux prints an empty pane ID.
    guard !pane.isEmpty else {
      throw Failure(
        .tmuxSessionNotFound,
        "there is no tmux session '\(Visible.line(target.name))' on '\(Visible.line(host))'")
    }
    let most = 10_000
    guard TerminalListing.isID(pane, "%"), let width = reader.number(), (1...most) ~= width,
      let height = reader.number(), (1...most) ~= height, let cursorX = reader.number(),
      let cursorY = reader.number(), let isVisible = reader.number(),
      let isAlternate = reader.number(), let historySize = reader.number(),
      let windowWidth = reader.number(), let windowHeight = reader.number(),
      let version = reader.word(), reader.skip("\n")
    else { throw Self.unreadable(host) }
    let historyLines = min(max(0, min(history, Self.maximumHistory)), historySize)
    let lines = reader.rest.split(
      separator: UInt8(ascii: "\n"), maxSplits: historyLines + height,
      omittingEmptySubsequences: false)
    // Each line has an end, so the split returns one extra piece.
    guard lines.count == historyLines + height + 1 else {
      throw Failure(
        .invalidResponse, "the screen of '\(Visible.line(target.name))' is cut off")
    }
    self.pane = pane
    self.width = width
    self.height = height
    // After a character in the last column, tmux reports a cursor beyond it.
    self.cursorX = min(cursorX, width - 1)
    self.cursorY = min(cursorY, height - 1)
    isCursorVisible = isVisible != 0
    self.isAlternate = isAlternate != 0
    self.windowWidth = windowWidth
    self.windowHeight = windowHeight
    joinsEmoji = Self.joinsEmoji(version)
    self.historyLines = historyLines
    self.lines = Array(lines.dropLast())
  }

  private static func unreadable(_ host: String) -> Failure {
    Failure(
      .invalidResponse,
      "tmux on '\(Visible.line(host))' sent a screen in an unknown format")
  }

  /// Returns `true` if tmux of the given version joins code points, which versions 3.0 to 3.3 do
  /// not.
  ///
  /// A version is a text such as `3.3a` or `next-3.6`.
  private static func joinsEmoji(_ version: String) -> Bool {
    !["3.0", "3.1", "3.2", "3.3"].contains { version.hasPrefix($0) || version == "next-\($0)" }
  }

  /// Returns the screen as a record.
  ///
  /// - Parameters:
  ///   - ts: The time of the capture, in milliseconds since 1970.
  ///   - escapes: `true` if the screen was captured with colours and attributes.
  /// - Returns: The record.
  public func record(ts: Int64, escapes: Bool) -> TerminalSnapshot {
    let text = lines.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
    return TerminalSnapshot(
      ts: ts, paneId: pane, width: width, height: height, cursorX: cursorX, cursorY: cursorY,
      cursorVisible: isCursorVisible, alternateOn: isAlternate, historyLines: historyLines,
      escapes: escapes, text: text)
  }
}
