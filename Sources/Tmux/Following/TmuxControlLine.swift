import Core

/// A parser of single lines of tmux's control mode.
enum TmuxControlLine {
  /// The kind of a line, as its first bytes show.
  enum Head {
    /// The start of a line that is not pane output.
    case other
    /// The start of a line that may turn out to be pane output.
    case unfinished
    /// The start of a line of pane output.
    ///
    /// The data follows it.
    case output(pane: String, lagMs: Int?)
  }

  private static let output = Array("%output ".utf8)
  private static let extendedOutput = Array("%extended-output ".utf8)
  private static let endOfHead = Array(" : ".utf8)

  /// Returns the kind of the line that begins with the given bytes, the last of which is a blank.
  ///
  /// A line of pane output begins with `%output %1 ` or `%extended-output %1 20 … : `.
  static func head(_ line: [UInt8]) -> Head {
    guard line.count <= 256 else { return .other }
    if line.starts(with: output) {
      guard line.count > output.count else { return .unfinished }
      let id = String(decoding: line[output.count...].dropLast(), as: UTF8.self)
      return TerminalListing.isID(id, "%") ? .output(pane: id, lagMs: nil) : .other
    }
    guard line.starts(with: extendedOutput) else { return .other }
    guard line.suffix(3) == endOfHead[...] else { return .unfinished }
    let words = line[extendedOutput.count...].split(separator: UInt8(ascii: " "))
    guard words.count > 2, let lag = Int(String(decoding: words[1], as: UTF8.self)), lag >= 0 else {
      return .other
    }
    let id = String(decoding: words[0], as: UTF8.self)
    return TerminalListing.isID(id, "%") ? .output(pane: id, lagMs: lag) : .other
  }

  /// Returns the words `TIME NUMBER FLAGS` in the first line of a reply, and the number alone.
  ///
  /// - Parameters:
  ///   - line: The first line of a reply.
  ///   - isFirst: `true` if this is tmux's first line. A login shell may then have printed text
  ///     before it, without an end of line.
  /// - Returns: The words and the number; nil if the line does not begin a reply.
  static func begin(_ line: [UInt8], isFirst: Bool) -> (words: String, number: Int)? {
    let text = String(decoding: line.suffix(isFirst ? 128 : line.count), as: UTF8.self)
    guard let start = text.ranges(of: "%begin ").last,
      isFirst || start.lowerBound == text.startIndex
    else { return nil }
    let words = text[start.upperBound...]
    let parts = words.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy(isNumber), let number = Int(parts[1]) else {
      return nil
    }
    return (String(words), number)
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.count < 20 && text.utf8.allSatisfy { $0.isDigit }
  }

  /// Returns the event that the given notification reports.
  ///
  /// An unknown or malformed notification becomes a notice.
  static func event(_ line: String, ts: Int64) -> TerminalEvent {
    let (name, rest) = firstWord(line)
    if name == "%exit" {
      return TerminalEvent(ts: ts, event: .exit, reason: rest.isEmpty ? nil : String(rest))
    }
    return window(name, rest, ts) ?? session(name, rest, ts)
      ?? TerminalEvent(ts: ts, event: .notice, text: line)
  }

  private static func window(
    _ name: Substring, _ rest: Substring, _ ts: Int64
  ) -> TerminalEvent? {
    let (first, others) = firstWord(rest)
    let kinds: [Substring: TerminalEventKind] = [
      "%pause": .pause, "%continue": .goesOn, "%pane-mode-changed": .paneModeChanged,
      "%window-add": .windowAdd, "%window-close": .windowClose,
      "%window-renamed": .windowRenamed, "%unlinked-window-add": .unlinkedWindowAdd,
      "%unlinked-window-close": .unlinkedWindowClose,
      "%unlinked-window-renamed": .unlinkedWindowRenamed, "%layout-change": .layoutChange,
      "%window-pane-changed": .windowPaneChanged,
    ]
    guard let kind = kinds[name] else { return nil }
    switch kind {
    case .pause, .goesOn, .paneModeChanged:
      guard let pane = id(first, "%") else { return nil }
      return TerminalEvent(ts: ts, event: kind, paneId: pane)
    case .windowPaneChanged:
      guard let window = id(first, "@"), let pane = id(others, "%") else { return nil }
      return TerminalEvent(ts: ts, event: kind, windowId: window, paneId: pane)
    default:
      guard let window = id(first, "@") else { return nil }
      var event = TerminalEvent(ts: ts, event: kind, windowId: window)
      if kind == .layoutChange { event.layout = String(firstWord(others).word) }
      if kind == .windowRenamed || kind == .unlinkedWindowRenamed { event.name = String(others) }
      return event
    }
  }

  private static func session(
    _ name: Substring, _ rest: Substring, _ ts: Int64
  ) -> TerminalEvent? {
    let (first, others) = firstWord(rest)
    switch name {
    case "%session-changed", "%session-renamed":
      guard let session = id(first, "$") else { return nil }
      return TerminalEvent(
        ts: ts, event: name == "%session-changed" ? .sessionChanged : .sessionRenamed,
        sessionId: session, name: String(others))
    case "%session-window-changed":
      guard let session = id(first, "$"), let window = id(others, "@") else { return nil }
      return TerminalEvent(
        ts: ts, event: .sessionWindowChanged, sessionId: session, windowId: window)
    case "%sessions-changed":
      return TerminalEvent(ts: ts, event: .sessionsChanged)
    case "%client-session-changed":
      guard let session = id(firstWord(others).word, "$") else { return nil }
      return TerminalEvent(
        ts: ts, event: .clientSessionChanged, sessionId: session, name: String(first))
    case "%client-detached":
      return TerminalEvent(ts: ts, event: .clientDetached, name: String(rest))
    default: return nil
    }
  }

  /// Splits the given text at its first blank.
  private static func firstWord(_ text: some StringProtocol) -> (word: Substring, rest: Substring) {
    let text = Substring(text)
    guard let end = text.firstIndex(of: " ") else { return (text, "") }
    return (text[..<end], text[text.index(after: end)...])
  }

  private static func id(_ text: Substring, _ sign: Character) -> String? {
    TerminalListing.isID(String(text), sign) ? String(text) : nil
  }
}
