import CodingAgents
import Core
import Events
import Terminals

/// A converter of the command's output lines to events.
///
/// Records and the lines of coding agents become events of their own types. All other lines become
/// log records.
struct OutputLines {
  /// The stream on which a line was printed.
  enum Stream: Sendable {
    case output, errors
  }

  /// A line that was reported as a log record.
  private struct LastLine {
    var text: String
    /// The first error message of the crash that the line belongs to.
    ///
    /// It is nil if the line is not an error.
    var root: String?
  }

  /// The crash that a stream currently reports.
  private struct Crash {
    var reader = CrashReader()
    var root: String?
  }

  private let agent: AgentIdentity
  private var records: RecordLines
  private var parsers: [any OutputParser]
  private var fold: RunFold
  private var crashes: [Stream: Crash] = [:]
  /// The last lines that were reported as log records, the oldest first.
  ///
  /// Stack traces are omitted.
  private var last: [LastLine] = []
  /// The number of last lines that are stored, and of characters of each.
  private static let remembered = (lines: 3, characters: 160)

  /// Creates a converter that has read no lines yet.
  ///
  /// - Parameters:
  ///   - agent: The agent that prints the lines.
  ///   - contexts: The context size of each model, as the configuration sets it.
  ///   - environment: The environment of the command.
  init(
    _ agent: AgentIdentity, contexts: [String: Int] = [:], environment: [String: String] = [:]
  ) {
    self.agent = agent
    records = RecordLines(agent)
    fold = RunFold(agent, contexts: contexts)
    parsers = CodingAgent.allCases.map { $0.output(environment) }
  }

  /// Returns the events of the given line; none for a blank line.
  mutating func events(
    of line: LineCutter.Line, from stream: Stream, at now: Timestamp
  ) -> [any Event] {
    if stream == .output, !line.isCut, line.bytes.first == UInt8(ascii: "{"),
      let object = JSONObject(line.bytes)
    {
      // A known agent comes first, because its lines may look like records.
      if let events = self.events(of: object, known: true, at: now) { return events }
      if let record = records.event(of: object, at: now) { return [record] }
      if let events = self.events(of: object, known: false, at: now) { return events }
    }
    if stream == .output, parsers.contains(where: \.isKnown) {
      for index in parsers.indices {
        _ = fold(parsers[index].entries(ofPlain: line.bytes), at: now)
      }
    }
    if stream == .output, parsers.contains(where: \.isKnown),
      line.bytes.first == UInt8(ascii: "{")
    {
      // The line may contain the text of a message, so it is not logged.
      return [
        agent.log(.warn, "skipped a line of \(line.length) bytes that cannot be parsed", at: now)
      ]
    }
    let bytes = EscapeSequences.removed(from: line.bytes)
    guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return [] }
    let log = agent.log(LineLevel.of(bytes), Self.text(line), at: now)
    return [assignToCrash(log, bytes, from: stream)]
  }

  /// Returns the events of the coding agent that printed the given object; nil if none did.
  ///
  /// Only agents are asked of which a line was seen, or only all others.
  private mutating func events(
    of object: JSONObject, known: Bool, at now: Timestamp
  ) -> [any Event]? {
    for index in parsers.indices where parsers[index].isKnown == known {
      if let entries = parsers[index].entries(of: object, at: now) { return fold(entries, at: now) }
    }
    return nil
  }

  private mutating func fold(_ entries: [SessionEntry], at now: Timestamp) -> [any Event] {
    entries.flatMap { fold.events(of: $0, at: now) }
  }

  /// Assigns the given line to its crash.
  ///
  /// A stack trace is not an error. The last error of a crash names the first one as its cause.
  private mutating func assignToCrash(_ log: Log, _ bytes: [UInt8], from stream: Stream) -> Log {
    var log = log
    var crash = crashes[stream] ?? Crash()
    defer { crashes[stream] = crash }
    var line = LastLine(text: log.message)
    switch crash.reader.part(of: bytes, isError: log.level >= .error) {
    case .none: break
    case .trace:
      log.level = min(log.level, .info)
      return log
    case .name(let continues):
      log.level = max(log.level, .error)
      if continues { log.body.cause = crash.root } else { crash.root = Self.root(log.message) }
      line.root = crash.root
    }
    if last.count == Self.remembered.lines { last.removeFirst() }
    last.append(line)
    return log
  }

  /// The error message that explains the end of the command; nil if the last lines contain none.
  var cause: String? { last.last { $0.root != nil }?.root }

  /// The last lines, joined, from the error that explains the command's end on; nil if there are
  /// none.
  var lastWords: String? {
    let first = last.lastIndex { $0.root != nil } ?? 0
    let lines = last[first...].map {
      Visible.line(String($0.text.prefix(Self.remembered.characters)))
    }
    return lines.isEmpty ? nil : lines.joined(separator: " / ")
  }

  /// Returns the beginning of the given message.
  ///
  /// It is long enough to distinguish errors.
  private static func root(_ message: String) -> String { String(message.prefix(2000)) }

  /// Returns the events that were still pending when the output ended.
  mutating func end(at now: Timestamp) -> [any Event] {
    var events: [any Event] = []
    for index in parsers.indices { events += fold(parsers[index].end(), at: now) }
    return events + fold.end(at: now)
  }

  /// Begins the output of the same command, which runs again.
  ///
  /// - Returns: The events that were still pending at the end of the earlier output.
  mutating func restart(at now: Timestamp) -> [any Event] {
    defer {
      fold.restart()
      (crashes, last) = ([:], [])
    }
    return end(at: now)
  }

  /// The facts about the whole run.
  var report: RunReport { fold.report }

  /// The usage of the run, as far as it is known.
  var usage: EventAttributes { report.totals.attributes }

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
