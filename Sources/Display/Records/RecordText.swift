public import Core

/// A renderer of records as text for people.
///
/// The text is aligned, fits the width, and shows control characters in visible form.
public struct RecordText: Sendable {
  /// The number of cells of a line; nil if the output is not a terminal.
  public var width: Int?
  /// The palette that draws looks.
  public var palette: Palette
  /// The current time, from which ages are computed.
  public var now: Timestamp
  /// The user's home folder, which paths on a terminal show as `~`; nil to show whole paths.
  public var home: String?
  /// The name of the machine whose records name none; nil if it is unknown.
  public var host = EventHost.own
  /// The number of events in each recent minute, by agent id; empty if it is not shown.
  var activity: [String: [Int]] = [:]
  /// The ids of stages whose model is thinking but has not begun to answer.
  var thinking: Set<String> = []

  /// Creates a renderer for a terminal of the given width; nil for output that is not a terminal.
  public init(width: Int?, palette: Palette = .none, now: Timestamp = .now) {
    self.width = width
    self.palette = palette
    self.now = now
  }

  /// Returns the given record as text with its line end.
  ///
  /// It suits records that arrive one by one.
  ///
  /// - Throws: `BadInput` if the record has no text form and cannot be encoded as JSON.
  public func text(_ record: any StreamRecord) throws(Failure) -> String {
    if let text = known(record) { return text }
    return cut(Visible.line(try record.json())) + "\n"
  }

  /// Returns the given records as text.
  ///
  /// Consecutive records of one type form a table.
  ///
  /// - Throws: As ``text(_:)``.
  public func list(_ records: [any StreamRecord]) throws(Failure) -> String {
    var blocks: [String] = []
    var rest = records[...]
    while let first = rest.first {
      if first is any TabledRecord {
        let kind = ObjectIdentifier(type(of: first))
        let group = rest.prefix { ObjectIdentifier(type(of: $0)) == kind }
        rest = rest.dropFirst(group.count)
        blocks.append(drawn(group.compactMap { $0 as? any TabledRecord }))
        if group.count == 1, let gate = first as? ApprovalGate { blocks.append(details(gate)) }
        if group.count == 1, let incident = first as? Incident { blocks.append(details(incident)) }
      } else {
        blocks.append(try text(first))
        rest = rest.dropFirst()
      }
    }
    return blocks.filter { !$0.isEmpty }.joined(separator: width == nil ? "" : "\n")
  }

  /// Returns the first lines of the given artifact, indented.
  ///
  /// - Parameters:
  ///   - artifact: The artifact.
  ///   - count: The maximum number of lines.
  ///   - hint: The text to show after the number of hidden lines.
  /// - Returns: The lines, each with its line end.
  public func beginning(of artifact: Artifact, lines count: Int, hint: String) -> String {
    let lines = MarkdownText(width: (width ?? 80) - 2, palette: palette).text(artifact.content)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let shown = lines.prefix(count).map { "  \($0)\n" }.joined()
    let left = lines.count - count
    guard left > 0 else { return shown }
    return shown + palette.painted("  … \(left) more lines\(hint)", .faint) + "\n"
  }

  /// Returns the given untrusted text on one line, cut to the width, with its line end.
  public func line(_ text: String) -> String { cut(Visible.line(text)) + "\n" }

  /// Returns the facts that a person needs to decide the given gate.
  ///
  /// They are not cut. The text is empty unless the output is a terminal.
  private func details(_ gate: ApprovalGate) -> String {
    guard width != nil else { return "" }
    return labelled(
      [
        ("what", gate.summary), ("why", gate.context?.why), ("impact", gate.context?.impact),
        ("risk", gate.context?.risk), ("do", gate.context?.recommendedAction),
        ("page", gate.webUrl),
      ], at: 8)
  }

  /// Returns the uncut text of the given incident; empty unless the output is a terminal.
  private func details(_ incident: Incident) -> String {
    width == nil ? "" : labelled([("what", incident.summary), ("page", incident.webUrl)], at: 8)
  }

  /// Returns each text after its label.
  ///
  /// Texts that are nil are left out; long texts are wrapped.
  func labelled(_ fields: [(label: String, text: String?)], at column: Int) -> String {
    fields.compactMap { name, text in text.map { (name, $0) } }.flatMap { name, text in
      let text = Visible.line(text)
      let lines = width.map { Cells.wrapped(text, to: max(1, $0 - column)) } ?? [text]
      return lines.enumerated().map { place, line in
        let label = Cells.padded(place == 0 ? name : "", to: column)
        return palette.painted(label, .faint) + line + "\n"
      }
    }.joined()
  }

  private func known(_ record: any StreamRecord) -> String? {
    switch record {
    case let overview as Overview: text(overview)
    case let delta as Delta: Visible.text(delta.text, keepingLines: true)
    case let artifact as Artifact: document(artifact.title, artifact.content)
    case let message as Message: text(message)
    case let call as ToolCall: text(call)
    case let result as ToolResult: text(result)
    case let page as Page: document(page.title ?? page.url, page.markdown ?? page.text ?? "")
    case let output as TerminalOutput: text(output)
    // A link is never cut, so that it can be opened.
    case let pairing as Pairing where pairing.url != nil: Visible.line(pairing.url ?? "") + "\n"
    case let snapshot as TerminalSnapshot: Visible.text(snapshot.text, keepingLines: true)
    case let record as any TabledRecord:
      table([record])?.text(width: width, palette: palette, hasHeadings: false)
    default: nil
    }
  }

  /// Returns the given records as a table with headings; nil if there are none.
  ///
  /// All must have one type. Records of a type that is not shown as a table give nil.
  public func table(of records: [any StreamRecord]) -> Table? {
    table(records.compactMap { $0 as? any TabledRecord }, hasHeadings: true)
  }

  /// Returns the given records as a table; nil if there are none.
  ///
  /// All must have one type.
  func table(_ records: [any TabledRecord], hasHeadings: Bool = false) -> Table? {
    guard let first = records.first else { return nil }
    let row = RowContext(records, self, hasHeadings: hasHeadings)
    var table = Table(type(of: first).columns, records.map { $0.cells(row) })
    if let heading = first.firstHeading { table.columns[0].heading = heading }
    return table
  }

  /// Returns the given records as text; on a terminal, with headings.
  ///
  /// All must have one type.
  private func drawn(_ records: [any TabledRecord]) -> String {
    let hasHeadings = width != nil
    return table(records, hasHeadings: hasHeadings)?
      .text(width: width, palette: palette, hasHeadings: hasHeadings) ?? ""
  }

  private func cut(_ line: String) -> String { width.map { Cells.cut(line, to: $0) } ?? line }

  private func text(_ output: TerminalOutput) -> String {
    guard let data = output.data else {
      return cut("\(output.paneId)  base64  \(output.dataBase64 ?? "")") + "\n"
    }
    // Lines of terminal output may end with CR LF.
    return Visible.text(data.replacing("\r\n", with: "\n"), keepingLines: true)
  }

  private func text(_ overview: Overview) -> String {
    let cards = overview.summaryCards
    var values = [
      ("fullest context", cards.contextRisk), ("failing calls", cards.skillFailureRate),
      ("healthy swarms", cards.swarmHealth),
    ].map { ($0, $1.map(Numbers.percent) ?? "-") }
    let awaited = overview.awaitedDecisions
    if awaited > 0 { values.insert(("need you", "\(awaited)"), at: 0) }
    let room = values.reduce(-3) { $0 + Cells.width($1.0 + $1.1) + 4 }
    let shown = values.map { palette.painted($0, .faint) + " " + $1 }
    var text = shown.joined(separator: room <= width ?? room ? "   " : "\n") + "\n"
    let sections: [(String, [any TabledRecord])] = [
      ("Incidents", overview.activeIncidents), ("Gates", overview.pendingGates),
      ("Swarms", overview.activeSwarms), ("Agents", overview.activeSessions),
    ]
    for (title, records) in sections {
      guard !records.isEmpty else { continue }
      text += "\n\(palette.painted(title, .strong))\n" + drawn(records)
    }
    return text
  }

  /// Returns the given document below its title.
  ///
  /// The Markdown is rendered only on a terminal.
  func document(_ title: String, _ body: String) -> String {
    let heading = Visible.line(title)
    guard let width else {
      let rule = String(repeating: "=", count: min(79, Cells.width(heading)))
      return "\(heading)\n\(rule)\n\n\(Visible.text(body, keepingLines: true))\n\n"
    }
    let text = MarkdownText(width: width, palette: palette).text(body) + "\n"
    // Many documents already begin with their title.
    let first = body.drop { $0 == "#" || $0 == " " }.prefix { $0 != "\n" }
    if body.hasPrefix("#"), Visible.line(String(first)) == heading { return text }
    let lines = Cells.wrapped(heading, to: width).map { palette.painted($0, .heading) }
    return lines.map { $0 + "\n" }.joined() + "\n" + text
  }
}
