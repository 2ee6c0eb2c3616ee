import Core

/// What terminals show, as lines for a person: no escape sequence of theirs reaches this terminal.
extension TextRendering {
  static func shown(_ record: any StreamRecord) -> String? {
    switch record {
    case let output as TerminalOutput: text(output)
    case let event as TerminalEvent: line(event)
    case let snapshot as TerminalSnapshot: Visible.text(snapshot.text, keepingLines: true)
    default: nil
    }
  }

  private static func text(_ output: TerminalOutput) -> String {
    guard let data = output.data else {
      return columns([(output.paneId, 5), ("base64", 6), (output.dataBase64 ?? "", 0)])
    }
    // A terminal's line ends with a carriage return too.
    let lines = data.replacing("\r\n", with: "\n")
    return Visible.text(lines, keepingLines: true)
  }

  private static func line(_ event: TerminalEvent) -> String {
    let places = [event.sessionId, event.windowId, event.paneId].compactMap(\.self)
    let words = [event.name, event.layout, event.reason, event.text].compactMap(\.self)
    return columns([
      (Timestamp(milliseconds: event.ts).iso8601, 24), (event.event.rawValue, 20),
      (places.joined(separator: " "), 8), (words.joined(separator: "  "), 0),
    ])
  }
}
