public import Core

/// The screen of a pane at one moment, as tmux captured it.
public struct TmuxScreen: Sendable, Hashable {
  /// The most lines above a screen that are taken.
  public static let maximumHistory = 100_000
  /// The longest capture that is read.
  public static let maximumBytes = 16 << 20

  /// What tmux is asked before the screen itself.
  static let format =
    marker + "#{pane_id} #{pane_width} #{pane_height} #{cursor_x} #{cursor_y} #{cursor_flag} "
    + "#{alternate_on} #{history_size} #{window_width} #{window_height} #{version} "

  private static let marker = "agentpipes-screen/1 "

  /// The pane, such as `%1`.
  public var pane: String
  /// The pane's columns.
  public var width: Int
  /// The pane's lines.
  public var height: Int
  /// The cursor's column, from 0.
  public var cursorX: Int
  /// The cursor's line, from 0.
  public var cursorY: Int
  /// Whether the cursor is shown.
  public var isCursorVisible: Bool
  /// Whether a program has the alternate screen.
  public var isAlternate: Bool
  /// The columns of the pane's window.
  public var windowWidth: Int
  /// The lines of the pane's window.
  public var windowHeight: Int
  /// Whether this tmux makes one character of several as those from 3.4 on do.
  public var joinsEmoji: Bool
  /// How many of the lines are from above the screen.
  public var historyLines: Int
  /// The lines as they were captured, without their ends; the last ones are the screen.
  public var lines: [ArraySlice<UInt8>]

  /// Reads the answer to ``TmuxCommand/capture(_:escapes:history:tmux:)``.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - target: What was captured.
  ///   - host: The machine, for the sentences.
  ///   - history: How many lines above the screen were asked for.
  /// - Throws: `TmuxSessionNotFound`, `InvalidResponse` for what cannot be read or is cut short, or
  ///   what ``TmuxAnswer/check(_:on:)`` throws.
  public init(
    _ answer: TmuxAnswer, of target: TmuxTarget, on host: String, history: Int = 0
  ) throws(Failure) {
    try answer.check(target, on: host)
    guard answer.output.count <= Self.maximumBytes,
      var reader = FieldReader(answer.output[...], after: Self.marker), let pane = reader.word()
    else { throw Self.unreadable(host) }
    // tmux shows a message about no pane at all when the session has just ended.
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
    // Every line has an end, so that one piece more comes of them.
    guard lines.count == historyLines + height + 1 else {
      throw Failure(
        .invalidResponse, "the screen of '\(Visible.line(target.name))' is cut off")
    }
    self.pane = pane
    self.width = width
    self.height = height
    // Behind the last column it waits for the next character.
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

  /// Whether a version, such as `3.3a`, `next-3.6` or `openbsd-7.4`, is not one of 3.0 to 3.3.
  private static func joinsEmoji(_ version: String) -> Bool {
    !["3.0", "3.1", "3.2", "3.3"].contains { version.hasPrefix($0) || version == "next-\($0)" }
  }

  /// The screen as a record.
  ///
  /// - Parameters:
  ///   - ts: When it was taken, in milliseconds since 1970.
  ///   - escapes: Whether it was taken with colours and attributes.
  /// - Returns: The record.
  public func record(ts: Int64, escapes: Bool) -> TerminalSnapshot {
    let text = lines.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
    return TerminalSnapshot(
      ts: ts, paneId: pane, width: width, height: height, cursorX: cursorX, cursorY: cursorY,
      cursorVisible: isCursorVisible, alternateOn: isAlternate, historyLines: historyLines,
      escapes: escapes, text: text)
  }
}
