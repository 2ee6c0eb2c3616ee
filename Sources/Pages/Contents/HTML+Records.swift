import Core
import Display

/// Tables and lines of records, with the columns and words that a terminal shows.
extension HTML {
  /// The width in cells for which the text of a table is chosen.
  private static let tableWidth = 160
  /// The importance of a column below which narrow screens leave it out.
  private static let narrowImportance = 6
  /// The number of characters up to which a text of several words, such as an age, is not wrapped.
  private static let longestShort = 12

  /// Returns the given records as a table; without records, the given sentence.
  ///
  /// - Parameters:
  ///   - records: The records, which must have one type.
  ///   - column: The heading of the column whose text links to the record's own view; nil for none.
  ///   - empty: The sentence.
  ///   - now: The time from which ages are computed.
  ///   - address: Returns the address of a record's view.
  /// - Returns: The table or the sentence.
  static func table<Record: StreamRecord>(
    _ records: [Record], linking column: String? = nil, empty: String, now: Timestamp,
    address: (Record) -> HTMLAddress? = { _ in nil }
  ) -> HTML {
    guard let table = RecordText(width: tableWidth, now: now).table(of: records) else {
      return HTML(.p, [.class("faint")], HTML(text: empty))
    }
    let used = table.columns.indices.filter { index in
      // Where a column links to the record's view, nobody needs to copy its id.
      (column == nil || table.columns[index].heading != "id")
        && table.rows.contains { !$0[index].text.isEmpty }
    }
    func attributes(_ index: Int, _ text: String = "") -> [HTMLAttribute] {
      let column = table.columns[index]
      let classes =
        (column.kind == .number ? ["number"] : [])
        + (text.contains(" ") && text.count <= longestShort ? ["short"] : [])
        + (column.importance < narrowImportance ? ["wide"] : [])
      return classes.isEmpty ? [] : [.class(classes.joined(separator: " "))]
    }
    let headings = used.map { index in
      HTML(
        .th, [HTMLAttribute(.scope, "col")] + attributes(index),
        HTML(text: table.columns[index].heading))
    }
    let rows = zip(table.rows, records).map { row, record in
      HTML(
        .tr,
        parts: used.map { index in
          let text = shown(row[index])
          let isLink = table.columns[index].heading == column
          let address = isLink ? address(record) : nil
          return HTML(
            .td, attributes(index, row[index].text),
            address.map { HTML(.a, [HTMLAttribute(.href, $0)], text) } ?? text)
        })
    }
    return HTML(
      .div, [.class("table")],
      HTML(.table, [], HTML(.thead, [], HTML(.tr, parts: headings)), HTML(.tbody, parts: rows)))
  }

  /// Returns the given cell with its look.
  static func shown(_ cell: TableCell) -> HTML {
    cell.look == .plain
      ? HTML(text: cell.text) : HTML(.span, [.class(cell.look.name)], HTML(text: cell.text))
  }

  /// Returns the given lines of the log as a list, the newest last.
  ///
  /// If `liveHost` is the name of the hub's machine, a script appends events, with the names of
  /// their machines if there are several.
  static func events(_ lines: [String], empty: String, liveHost: String? = nil) -> HTML {
    var view = EventView(width: tableWidth, palette: .none)
    let events = lines.compactMap { try? RawRecord(line: Array($0.utf8)) }
    for event in events { view.note(event) }
    var live = liveHost.map { [HTMLAttribute(.dataHost, $0)] } ?? []
    guard !lines.isEmpty else { return HTML(.p, [.class("faint")] + live, HTML(text: empty)) }
    if liveHost != nil { live.append(HTMLAttribute(.dataHosts, view.machine ?? "")) }
    return HTML(
      .ol,
      [.class("events"), HTMLAttribute(.tabindex, "0"), HTMLAttribute(.ariaLabel, "Events")]
        + live,
      parts: events.map { event in HTML(.li, parts: view.cells(event).map(shown)) })
  }

  /// Returns each text after its term.
  ///
  /// Texts that are nil or empty are left out.
  static func facts(_ facts: [(term: String, text: String?)]) -> HTML {
    let shown = facts.compactMap { fact in
      fact.text.flatMap { $0.isEmpty ? nil : (fact.term, $0) }
    }
    return HTML(
      .dl,
      parts: shown.map { term, text in
        HTML(.div, [], HTML(.dt, [], HTML(text: term)), HTML(.dd, [], HTML(text: text)))
      })
  }
}

extension Look {
  /// The name of the class that draws the look.
  fileprivate var name: String {
    switch self {
    case .plain: "plain"
    case .faint: "faint"
    case .strong: "strong"
    case .good: "good"
    case .warning: "warning"
    case .bad: "bad"
    case .urgent: "urgent"
    case .accent: "accent"
    case .heading: "heading"
    case .emphasis: "emphasis"
    case .chosen: "chosen"
    }
  }
}
