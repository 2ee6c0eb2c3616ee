import Core
import Events
import Terminals

/// A converter of the command's lines to events: its own records, the lines of coding agents, and
/// all other lines as logs.
struct OutputLines {
  /// The stream to which a line was written.
  enum Stream: Sendable {
    case output, errors
  }

  /// A line that was reported as a log.
  private struct Told {
    var text: String
    /// The first error message of the crash to which the line belongs; nil for a line that is not
    /// an error.
    var root: String?
  }

  /// The current crash on one stream.
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
  /// The last lines that were reported as logs, the oldest first, without stack traces.
  private var last: [Told] = []
  /// The number of such lines that are stored, and of characters of each.
  private static let remembered = (lines: 3, characters: 160)

  /// Creates a converter that has read nothing.
  ///
  /// - Parameters:
  ///   - agent: The agent that prints the lines.
  ///   - contexts: The context sizes that the configuration sets, by model.
  init(_ agent: AgentIdentity, contexts: [String: Int] = [:]) {
    self.agent = agent
    records = RecordLines(agent)
    claude = ClaudeLines(agent, contexts: contexts)
    codex = CodexLines(agent)
  }

  /// Returns the events of the given line; none for a blank line.
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
      // The line may contain the text of a message, so it is not logged.
      return [
        agent.log(.warn, "skipped a line of \(line.length) bytes that cannot be parsed", at: now)
      ]
    }
    let bytes = EscapeSequences.removed(from: line.bytes)
    guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return [] }
    let log = agent.log(LineLevel.of(bytes), Self.text(line), at: now)
    return [told(log, bytes, from: stream)]
  }

  /// Assigns the given line to its crash: the stack trace is not an error, and the last error
  /// belongs to the first.
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

  /// The error message that ended the command, if it is among the last lines.
  var cause: String? { last.last { $0.root != nil }?.root }

  /// The last lines, joined, starting with the error that ended the command; nil if there are none.
  var lastWords: String? {
    let first = last.lastIndex { $0.root != nil } ?? 0
    let lines = last[first...].map {
      Visible.line(String($0.text.prefix(Self.remembered.characters)))
    }
    return lines.isEmpty ? nil : lines.joined(separator: " / ")
  }

  /// Returns the beginning of the given message, which is enough to distinguish errors.
  private static func root(_ message: String) -> String { String(message.prefix(2000)) }

  /// Returns the events that were not reported before the end of the output.
  mutating func end(at now: Timestamp) -> [any Event] {
    claude.end(&totals, at: now) + codex.end(at: now)
  }

  /// The usage of the run, as far as it is known.
  var usage: EventAttributes { totals.attributes }

  /// Returns the given line as text.
  ///
  /// A cut line is followed by its length.
  private static func text(_ line: LineCutter.Line) -> String {
    let shown = line.bytes.prefix(LineCutter.maximumLength)
    guard shown.count < line.length else { return String(decoding: shown, as: UTF8.self) }
    // The cut must not split a character.
    let whole = shown.dropLast(shown.suffix(3).reversed().prefix { $0 & 0xC0 == 0x80 }.count)
    let end = whole.last.map { $0 >= 0xC0 } ?? false ? whole.dropLast() : whole
    return String(decoding: end, as: UTF8.self) + "… [cut: \(line.length) bytes]"
  }
}
