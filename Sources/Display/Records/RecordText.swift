public import Core

/// Records as text for a person: aligned, within the terminal, every control character visible.
public struct RecordText: Sendable {
  /// The cells of a line; nil where the text is no terminal's, and whoever reads it comes later.
  public var width: Int?
  /// How looks are drawn.
  public var palette: Palette
  /// The moment that times are told from.
  public var now: Timestamp
  /// The user's home folder, which paths on a terminal show as `~`; nil shows them whole.
  public var home: String?
  /// Events of agents over the last minutes, by id, where they are to be shown.
  var activity: [String: [Int]] = [:]
  /// The stages whose model thinks and says nothing yet.
  var thinking: Set<String> = []

  /// Text for a terminal of a width, or for none.
  public init(width: Int?, palette: Palette = .none, now: Timestamp = .now) {
    self.width = width
    self.palette = palette
    self.now = now
  }

  /// A record as it comes, its line end included.
  ///
  /// - Throws: `BadInput` where it cannot be told as JSON either.
  public func text(_ record: any StreamRecord) throws(Failure) -> String {
    if let text = known(record) { return text }
    return cut(Visible.line(try record.json())) + "\n"
  }

  /// Records that are all there is to tell: those of one type stand in one table.
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

  /// The first lines of a result, set in.
  ///
  /// - Parameters:
  ///   - artifact: The result.
  ///   - count: How many lines.
  ///   - hint: What is said behind the number of those that are left.
  /// - Returns: The lines, each with its end.
  public func beginning(of artifact: Artifact, lines count: Int, hint: String) -> String {
    let lines = MarkdownText(width: (width ?? 80) - 2, palette: palette).text(artifact.content)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let shown = lines.prefix(count).map { "  \($0)\n" }.joined()
    let left = lines.count - count
    guard left > 0 else { return shown }
    return shown + palette.painted("  … \(left) more lines\(hint)", .faint) + "\n"
  }

  /// Text from anywhere on one line, within the width, its line end included.
  public func line(_ text: String) -> String { cut(Visible.line(text)) + "\n" }

  /// What to know before a gate is decided, on a terminal: nothing of it is cut.
  private func details(_ gate: ApprovalGate) -> String {
    guard width != nil else { return "" }
    return labelled(
      [
        ("what", gate.summary), ("why", gate.context?.why), ("impact", gate.context?.impact),
        ("risk", gate.context?.risk), ("do", gate.context?.recommendedAction),
      ], at: 8)
  }

  /// The words of an incident, on a terminal: nothing of them is cut.
  private func details(_ incident: Incident) -> String {
    width == nil ? "" : labelled([("what", incident.summary)], at: 8)
  }

  /// Returns each text that is not nil behind its label; long texts are wrapped, not cut.
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
    case let page as Page: document(page.title ?? page.url, page.markdown ?? page.text ?? "")
    case let output as TerminalOutput: text(output)
    case let snapshot as TerminalSnapshot: Visible.text(snapshot.text, keepingLines: true)
    case let record as any TabledRecord:
      table([record])?.text(width: width, palette: palette, hasHeadings: false)
    default: nil
    }
  }

  /// Records of one type as a table; nil for none.
  func table(_ records: [any TabledRecord], hasHeadings: Bool = false) -> Table? {
    guard let first = records.first else { return nil }
    let row = RowContext(records, self, hasHeadings: hasHeadings)
    var table = Table(type(of: first).columns, records.map { $0.cells(row) })
    if let heading = first.firstHeading { table.columns[0].heading = heading }
    return table
  }

  /// Records of one type as text: on a terminal under headings.
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
    // A terminal's line ends with a carriage return too.
    return Visible.text(data.replacing("\r\n", with: "\n"), keepingLines: true)
  }

  private func text(_ overview: Overview) -> String {
    let cards = overview.summaryCards
    let values = [
      ("fullest context", cards.contextRisk), ("failing calls", cards.skillFailureRate),
      ("healthy swarms", cards.swarmHealth),
    ].map { ($0, $1.map(Numbers.percent) ?? "-") }
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

  /// A document under its title: on a terminal its Markdown is drawn, else it is left as it is.
  func document(_ title: String, _ body: String) -> String {
    let heading = Visible.line(title)
    guard let width else {
      let rule = String(repeating: "=", count: min(79, Cells.width(heading)))
      return "\(heading)\n\(rule)\n\n\(Visible.text(body, keepingLines: true))\n\n"
    }
    let text = MarkdownText(width: width, palette: palette).text(body) + "\n"
    // Many a document begins with its title.
    let first = body.drop { $0 == "#" || $0 == " " }.prefix { $0 != "\n" }
    if body.hasPrefix("#"), Visible.line(String(first)) == heading { return text }
    let lines = Cells.wrapped(heading, to: width).map { palette.painted($0, .heading) }
    return lines.map { $0 + "\n" }.joined() + "\n" + text
  }
}
