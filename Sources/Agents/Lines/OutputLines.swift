import Core
import Events
import Terminals

/// Turns the lines of a command into events: records of its own, the lines of coding agents, and all
/// others as logs.
struct OutputLines {
  /// Where a line was printed.
  enum Stream: Sendable {
    case output, errors
  }

  /// A line that was told as it is.
  private struct Told {
    var text: String
    /// The message of the first error of its crash; nil for a line that is no error.
    var root: String?
  }

  /// A crash, as far as one stream shows it.
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
  /// The newest lines that were told as they are, the oldest first, without traces of crashes.
  private var last: [Told] = []
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
      return [
        agent.log(.warn, "skipped a line of \(line.length) bytes that cannot be parsed", at: now)
      ]
    }
    let bytes = EscapeSequences.removed(from: line.bytes)
    guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return [] }
    let log = agent.log(LineLevel.of(bytes), Self.text(line), at: now)
    return [told(log, bytes, from: stream)]
  }

  /// Puts a line in its place in a crash: its trace is no error, and its last error continues its first.
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

  /// The message of the error that the command died of, if it is among its last lines.
  var cause: String? { last.last { $0.root != nil }?.root }

  /// The last lines on one, from the error on that the command died of, for who is told that it died;
  /// nil where it printed none.
  var lastWords: String? {
    let first = last.lastIndex { $0.root != nil } ?? 0
    let lines = last[first...].map {
      Visible.line(String($0.text.prefix(Self.remembered.characters)))
    }
    return lines.isEmpty ? nil : lines.joined(separator: " / ")
  }

  /// As much of a message as tells one kind of errors from others.
  private static func root(_ message: String) -> String { String(message.prefix(2000)) }

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
