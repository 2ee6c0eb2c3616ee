import Core
import Events

/// Turns the lines of a command into events: records of its own, the lines of coding agents, and all
/// others as logs.
struct OutputLines {
  /// Where a line was printed.
  enum Stream: Sendable {
    case output, errors
  }

  private let agent: AgentIdentity
  private var records: RecordLines
  private var claude: ClaudeLines
  private var codex: CodexLines
  private var totals = UsageTotals()
  /// The newest lines that were told as they are, the oldest first.
  private var lastTexts: [String] = []
  /// So many of them are remembered, and of each so many characters.
  private static let remembered = (lines: 3, characters: 160)

  /// Begins with nothing read; the configuration may say how much the contexts of models hold.
  init(_ agent: AgentIdentity, contexts: [String: Int] = [:]) {
    self.agent = agent
    records = RecordLines(agent)
    claude = ClaudeLines(agent, contexts: contexts)
    codex = CodexLines(agent)
  }

  /// The events of a line; a blank one has none.
  mutating func events(
    of line: LineCutter.Line, from stream: Stream, at now: Timestamp
  ) -> [any Event] {
    if stream == .output, !line.isCut, line.bytes.first == UInt8(ascii: "{"),
      let object = JSONObject(line.bytes)
    {
      if let record = records.event(of: object, at: now) { return [record] }
      if let events = claude.events(of: object, &totals, at: now) { return events }
      if let events = codex.events(of: object, &totals, at: now) { return events }
    }
    if stream == .output, claude.isKnown || codex.isKnown, line.bytes.first == UInt8(ascii: "{") {
      // It may hold what was said.
      return [agent.log(.warn, "a line of \(line.length) bytes that cannot be read", at: now)]
    }
    guard !line.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return [] }
    let text = Self.text(line)
    if lastTexts.count == Self.remembered.lines { lastTexts.removeFirst() }
    lastTexts.append(text)
    return [agent.log(LineLevel.of(line.bytes), text, at: now)]
  }

  /// The last lines on one, for who is told that the command died; nil where it printed none.
  var lastWords: String? {
    let lines = lastTexts.map {
      Visible.line(String($0.prefix(Self.remembered.characters)))
    }
    return lines.isEmpty ? nil : lines.joined(separator: " / ")
  }

  /// Whether a line is no more than a log that does not matter much.
  static func isOrdinary(_ line: LineCutter.Line) -> Bool {
    line.bytes.first != UInt8(ascii: "{") && LineLevel.of(line.bytes) < .warn
  }

  /// Tells what is not told yet, once there are no more lines.
  mutating func end(at now: Timestamp) -> [any Event] {
    claude.end(&totals, at: now) + codex.end(at: now)
  }

  /// What the run used, as far as it is known.
  var usage: EventAttributes { totals.attributes }

  /// The text of a line; of a long one the beginning, and how long it was.
  private static func text(_ line: LineCutter.Line) -> String {
    let shown = line.bytes.prefix(LineCutter.maximumLength)
    guard shown.count < line.length else { return String(decoding: shown, as: UTF8.self) }
    // No character is torn apart.
    let whole = shown.dropLast(shown.suffix(3).reversed().prefix { $0 & 0xC0 == 0x80 }.count)
    let end = whole.last.map { $0 >= 0xC0 } ?? false ? whole.dropLast() : whole
    return String(decoding: end, as: UTF8.self) + "… [cut: \(line.length) bytes]"
  }
}
