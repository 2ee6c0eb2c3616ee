public import Core

/// Events as lines for a person at a terminal: when, how grave or what, who, and what happened.
public struct EventView: Sendable {
  /// A text of more characters than this is cut, and says so.
  static let longestText = 2000

  private let isColored: Bool
  private var spans = SpanDepths()

  /// Creates the view.
  ///
  /// - Parameter isColored: Whether levels and times are coloured.
  public init(isColored: Bool) {
    self.isColored = isColored
  }

  /// The event on one line, with every control character visible; spans are indented.
  public mutating func line(_ event: RawRecord) -> String {
    let level = event.string("level")
    let time =
      event.json("ts").flatMap { Int64($0) }
      .map { Timestamp(milliseconds: $0).iso8601 } ?? "-"
    let mark = Visible.line(level ?? event.type)
    let columns = [
      colored(padded(time, 24), "2"),
      colored(
        padded(Self.cut(mark, 36), 12), Self.color(level.flatMap(Log.Level.init(rawValue:)), level)
      ),
      padded(Self.cut(Visible.line(event.string("agentId") ?? "-"), 36), 12),
      String(repeating: "  ", count: spans.depth(event))
        + Self.cut(Visible.line(Self.text(event)), Self.longestText),
    ]
    return columns.joined(separator: "  ") + "\n"
  }

  /// What happened, in the event's words; one of a type that is not known is shown as it came.
  private static func text(_ event: RawRecord) -> String {
    switch event.type {
    case "log":
      return (event.string("message") ?? "") + (event.json("count").map { " (× \($0))" } ?? "")
    case "traceEvent":
      return [event.string("name"), event.string("phase"), event.json("attrs")]
        .compactMap(\.self).joined(separator: " ")
    case "metric":
      return [event.string("scope"), event.string("name"), event.json("value")]
        .compactMap(\.self).joined(separator: " ")
    case "approvalGate":
      return [event.string("status"), event.string("gateId"), event.string("summary")]
        .compactMap(\.self).joined(separator: " ")
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

  private static func cut(_ text: String, _ longest: Int) -> String {
    guard text.utf8.count > longest,
      let end = text.index(text.startIndex, offsetBy: longest, limitedBy: text.endIndex),
      end < text.endIndex
    else { return text }
    return text[..<end] + "… (\(text.utf8.count) bytes)"
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// A text in a colour of ECMA-48's SGR.
  private func colored(_ text: String, _ color: String) -> String {
    isColored && !color.isEmpty ? "\u{1B}[\(color)m\(text)\u{1B}[0m" : text
  }

  private static func color(_ level: Log.Level?, _ name: String?) -> String {
    switch level {
    case .debug: "2"
    case .info: "32"
    case .warn: "33"
    case .error: "31"
    case .critical: "1;31"
    case nil: name == nil ? "36" : ""
    }
  }
}
