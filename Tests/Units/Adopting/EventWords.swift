import Core
import Events

/// Events of adopted sessions as short texts.
enum EventWords {
  static func of(_ events: [any Event]) -> [String] { events.map(short) }

  private static func short(_ event: any Event) -> String {
    switch event {
    case let log as Log: return "\(log.level) \(log.message)"
    case let trace as TraceEvent:
      var words = [trace.name, trace.phase?.rawValue ?? "-"]
      if trace.name == "chat", trace.phase == .end {
        words.append("\(number(trace, .inputTokens))+\(number(trace, .outputTokens))")
      }
      if let tool = trace.skillId { words.append(tool) }
      for name in [EventAttribute.status, .errorType, .usageScope] {
        if case .string(let word)? = trace.attrs[name.rawValue] { words.append(word) }
      }
      if let session = trace.sessionId, session.contains(".") { words.append(session) }
      return words.joined(separator: " ")
    default: return "\(type(of: event))"
    }
  }

  private static func number(_ event: TraceEvent, _ name: EventAttribute) -> Int {
    guard case .int(let number)? = event.attrs[name.rawValue] else { return -1 }
    return number
  }
}
