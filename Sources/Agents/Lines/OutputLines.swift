import Core
import Events
import Terminals

/// A converter of a command's lines into events: its own records, the lines of coding agents, and
/// all others as logs.
struct OutputLines {
  /// The stream of a line.
  enum Stream: Sendable {
    case output, errors
  }

  /// A line that was reported as it is.
  private struct Told {
    var text: String
    /// The message of the first error of its crash; nil for a line that is no error.
    var root: String?
  }

  /// A crash, as one stream shows it.
  private struct Crash {
    var reader = CrashReader()
    var root: String?
  }

  private let agent: AgentIdentity
  private var records: RecordLines
  private var claude: ClaudeLines
  private var codex: CodexLines
  private var totals = UsageTotals()
  private var crashes: [Stream: Crash] = [:]
  /// The newest lines that were reported as they are, the oldest first, without traces of crashes.
  private var last: [Told] = []
  /// The number of lines that are remembered, and of characters of each.
  private static let remembered = (lines: 3, characters: 160)

  /// Creates a converter that has read nothing, with the configured context sizes of models.
  init(_ agent: AgentIdentity, contexts: [String: Int] = [:]) {
    self.agent = agent
    records = RecordLines(agent)
    claude = ClaudeLines(agent, contexts: contexts)
    codex = CodexLines(agent)
  }

  /// Returns the events of a line; a blank line has none.
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
      // The line may hold the text of a message, so it is not shown.
      return [agent.log(.warn, "a line of \(line.length) bytes that cannot be read", at: now)]
    }
    let bytes = EscapeSequences.removed(from: line.bytes)
    guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return [] }
    let log = agent.log(LineLevel.of(bytes), Self.text(line), at: now)
    return [told(log, bytes, from: stream)]
  }

  /// Places a line in its crash: the trace is no error, and the last error continues the first.
  private mutating func told(_ log: Log, _ bytes: [UInt8], from stream: Stream) -> Log {
    var log = log
    var crash = crashes[stream] ?? Crash()
    defer { crashes[stream] = crash }
    var told = Told(text: log.message)
    switch crash.reader.part(of: bytes, isError: log.level >= .error) {
    case .none: break
    case .trace:
      log.level = min(log.level, .info)
      return log
    case .name(let continues):
      log.level = max(log.level, .error)
      if continues { log.body.cause = crash.root } else { crash.root = Self.root(log.message) }
      told.root = crash.root
    }
    if last.count == Self.remembered.lines { last.removeFirst() }
    last.append(told)
    return log
  }

  /// The message of the error that ended the command, if it is among its last lines.
  var cause: String? { last.last { $0.root != nil }?.root }

  /// The last lines, joined, from the error on that ended the command; nil if it printed none.
  var lastWords: String? {
    let first = last.lastIndex { $0.root != nil } ?? 0
    let lines = last[first...].map {
      Visible.line(String($0.text.prefix(Self.remembered.characters)))
    }
    return lines.isEmpty ? nil : lines.joined(separator: " / ")
  }

  /// Returns the beginning of a message, long enough to distinguish kinds of errors.
  private static func root(_ message: String) -> String { String(message.prefix(2000)) }

  /// Returns the events that are not reported yet, after the last line.
  mutating func end(at now: Timestamp) -> [any Event] {
    claude.end(&totals, at: now) + codex.end(at: now)
  }

  /// The usage of the run, as far as it is known.
  var usage: EventAttributes { totals.attributes }

  /// Returns the text of a line; a long line is cut, and its length is added.
  private static func text(_ line: LineCutter.Line) -> String {
    let shown = line.bytes.prefix(LineCutter.maximumLength)
    guard shown.count < line.length else { return String(decoding: shown, as: UTF8.self) }
    // The cut must not split a character.
    let whole = shown.dropLast(shown.suffix(3).reversed().prefix { $0 & 0xC0 == 0x80 }.count)
    let end = whole.last.map { $0 >= 0xC0 } ?? false ? whole.dropLast() : whole
    return String(decoding: end, as: UTF8.self) + "… [cut: \(line.length) bytes]"
  }
}
