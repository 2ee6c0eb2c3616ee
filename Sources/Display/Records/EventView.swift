public import Core

/// A view of events as lines.
///
/// A line has the time, the level or type, the agent and the text. After the first event of another
/// machine than before, it also has the name of the machine.
public struct EventView: Sendable {
  /// The maximum number of characters of a text.
  ///
  /// A longer text is cut with a mark.
  static let longestText = 2000

  /// The number of cells of a line; nil if the output is not a terminal.
  public var width: Int?
  /// The name of the machine whose events name none; nil if it is unknown.
  public var host = EventHost.own
  private let palette: Palette
  private let minor: Set<String>
  private let isLong: Bool
  private var spans = SpanDepths()
  /// The machine of the events so far; nil before the first.
  private var onlyHost: String?
  /// `true` if the events so far came from several machines.
  private var hasHosts = false

  /// Creates the view.
  ///
  /// - Parameters:
  ///   - width: The number of cells of a line; nil if the output is not a terminal.
  ///   - palette: The palette that draws looks.
  ///   - minor: The names of attributes to leave out.
  ///   - isLong: `true` to show everything, even if lines become longer than the terminal is wide.
  public init(width: Int?, palette: Palette, minor: Set<String> = [], isLong: Bool = false) {
    self.width = width
    self.palette = palette
    self.minor = minor
    self.isLong = isLong
  }

  /// Returns the given event as one line.
  ///
  /// Control characters are made visible, and spans are indented.
  public mutating func line(_ event: RawRecord) -> String { drawn(cells(event)) + "\n" }

  /// Notes the machine of an event that will follow.
  ///
  /// If the events come from several machines, the first line already names one.
  public mutating func note(_ event: RawRecord) {
    guard let host = host(event) else { return }
    hasHosts = hasHosts || host != onlyHost ?? host
    onlyHost = host
  }

  /// The machine of all events so far; nil before the first event, and for several machines.
  public var machine: String? { hasHosts ? nil : onlyHost }

  /// Returns the parts of the given event's line, padded so that lines below each other align.
  ///
  /// Control characters are made visible.
  public mutating func cells(_ event: RawRecord) -> [TableCell] {
    let level = event.string("level")
    let known = level.flatMap(Log.Level.init(rawValue:))
    let indent = String(repeating: "  ", count: spans.depth(event))
    note(event)
    return [
      TableCell(drawn: time(event) + "  ", .faint),
      TableCell(
        drawn: Cells.padded(Self.cut(Visible.line(level ?? Self.word(event.type)), 36), to: 8)
          + "  ",
        known.map { $0 == .info ? .good : Look($0) } ?? (level == nil ? .accent : .plain)),
      TableCell(drawn: Cells.padded(agent(event), to: agentWidth) + "  "),
      hasHosts ? TableCell(drawn: machine(event) + "  ", .faint) : nil,
      TableCell(
        drawn: indent + Self.cut(Visible.line(Self.text(event)), Self.longestText),
        known.map { Look($0).ofText } ?? .plain),
      TableCell(drawn: attributes(event), .faint),
    ].compactMap(\.self)
  }

  /// Returns the given parts as one line, cut at the width.
  private func drawn(_ parts: [TableCell]) -> String {
    guard let width, !isLong else {
      return parts.map { palette.painted($0.text, $0.look) }.joined()
    }
    var room = width
    var line = ""
    for (index, part) in parts.enumerated() where room > 0 {
      let isLast = parts[(index + 1)...].allSatisfy(\.text.isEmpty)
      let text = Cells.cut(part.text, to: isLast ? room : max(0, room - 1))
      line += palette.painted(text, part.look)
      room -= Cells.width(text)
      if text != part.text { break }
    }
    return line
  }

  /// Returns the time of the given event.
  ///
  /// On a terminal, it is the time of day in UTC. Elsewhere, it is the full instant.
  private func time(_ event: RawRecord) -> String {
    let instant = event.json("ts").flatMap { Int64($0) }.map { Timestamp(milliseconds: $0) }
    guard width != nil, !isLong else { return Cells.padded(instant?.iso8601 ?? "-", to: 24) }
    return Cells.padded(instant.map(Ago.time) ?? "-", to: 8)
  }

  /// The width of the column of agents, in cells.
  private var agentWidth: Int { width.map { min(24, max(8, $0 / 6)) } ?? 12 }

  private func agent(_ event: RawRecord) -> String {
    let id = event.string("agentId") ?? "-"
    return width == nil || isLong
      ? Self.cut(Visible.line(id), 36)
      : Cells.cut(ShortIDs().short(id), to: agentWidth)
  }

  /// The types of records that a hub makes about what happened elsewhere.
  private static let ofHub: Set = ["alert", "control", "gap", "suppressed"]

  /// Returns the machine of the given event; nil if a hub made it and it names none.
  private func host(_ event: RawRecord) -> String? {
    event.string("host") ?? (Self.ofHub.contains(event.type) ? nil : host ?? "-")
  }

  private func machine(_ event: RawRecord) -> String {
    let host = Visible.line(host(event) ?? "-")
    guard width != nil, !isLong else { return Cells.padded(Self.cut(host, 64), to: 12) }
    return Cells.padded(Cells.cut(host, to: hostWidth), to: hostWidth)
  }

  /// The width of the column of machines, in cells.
  private var hostWidth: Int { width.map { min(16, max(8, $0 / 10)) } ?? 12 }

  /// Returns a short word that stands for the given record type.
  private static func word(_ type: String) -> String {
    switch type {
    case "traceEvent": "trace"
    case "approvalGate": "gate"
    default: type
    }
  }

  /// Returns the text of the given event.
  ///
  /// An event of an unknown type is shown as JSON.
  private static func text(_ event: RawRecord) -> String {
    switch event.type {
    case "log":
      return (event.string("message") ?? "") + (event.json("count").map { " (× \($0))" } ?? "")
    case "traceEvent":
      return [event.string("name"), event.string("phase")].compactMap(\.self)
        .joined(separator: " ")
    case "metric":
      return [event.string("scope"), event.string("name"), event.json("value")]
        .compactMap(\.self).joined(separator: " ")
    case "approvalGate":
      return [event.string("status"), event.string("summary"), event.string("gateId")]
        .compactMap(\.self).joined(separator: "  ")
    case "control":
      let asked = [event.string("action"), event.string("outcome")].compactMap(\.self)
      return asked.joined(separator: " ") + ", \(event.string("actor") ?? "?"): "
        + (event.string("reason") ?? "")
    case "suppressed": return "\(event.json("count") ?? "?") suppressed"
    case "gap":
      return "events are missing: " + (event.string("reason") ?? "?")
    default:
      return event.string("message") ?? event.string("summary") ?? event.string("explanation")
        ?? String(decoding: event.bytes, as: UTF8.self)
    }
  }

  /// Returns the attributes of the given event as `key=value`.
  ///
  /// Unless `isLong` is set, minor attributes are left out, and names are shortened.
  private func attributes(_ event: RawRecord) -> String {
    guard let json = event.json("attrs"), let attributes = JSONObject(json) else { return "" }
    let names = attributes.names.filter { isLong || !minor.contains($0) }
    return zip(names, isLong ? names : Self.shortened(names)).reduce(into: "") { text, pair in
      let (name, short) = pair
      let value =
        attributes.string(name) ?? attributes.number(name).map(Self.number)
        ?? (attributes.isTrue(name) ? "true" : attributes.object(name)?.json ?? "…")
      let shown = Visible.line(isLong ? value : String(value.prefix(80)))
      text += "  " + Visible.line(short) + "="
      text += shown.contains(" ") || shown.isEmpty ? "'\(shown)'" : shown
    }
  }

  /// Returns the last part of each of the given names, or the last two parts if several names end
  /// alike.
  private static func shortened(_ names: [String]) -> [String] {
    let parts = names.map { $0.split(separator: ".") }
    let counts = Dictionary(parts.map { ($0.last ?? "", 1) }, uniquingKeysWith: +)
    return parts.map { parts in
      parts.suffix(counts[parts.last ?? "", default: 1] > 1 ? 2 : 1).joined(separator: ".")
    }
  }

  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map(String.init) ?? "\(value)"
  }

  private static func cut(_ text: String, _ longest: Int) -> String {
    guard text.utf8.count > longest,
      let end = text.index(text.startIndex, offsetBy: longest, limitedBy: text.endIndex),
      end < text.endIndex
    else { return text }
    return text[..<end] + "… (\(text.utf8.count) bytes)"
  }
}

extension Look {
  /// The look of a log's text at a level with this look.
  ///
  /// Only the text of a severe log is coloured.
  fileprivate var ofText: Look { [.bad, .urgent].contains(self) ? self : .plain }
}
