import Core

/// A record that is shown as a row of a table.
protocol TabledRecord: StreamRecord {
  /// The columns, the most important on the left.
  static var columns: [TableColumn] { get }

  /// The heading of the first column, if it depends on the record.
  var firstHeading: String? { get }

  /// The values of its bars, each drawn relative to the greatest in the table.
  var measures: [Double] { get }

  /// The shown IDs, which must differ when shortened.
  var shownIDs: [String] { get }

  /// Returns a cell for each column.
  func cells(_ row: RowContext) -> [TableCell]
}

extension TabledRecord {
  var firstHeading: String? { nil }
  var measures: [Double] { [] }
}

/// The context in which a row is rendered.
struct RowContext {
  /// The current time, from which ages are computed.
  var now: Timestamp
  /// The shortening of IDs.
  var ids: ShortIDs
  /// `true` if a person reads the output now, and not later from a file.
  var isLive: Bool
  /// The stages whose model is thinking and has not answered yet.
  var thinking: Set<String>
  /// The user's home folder, which paths show as `~`.
  private let home: String?
  /// `true` if headings say what numbers count.
  var hasHeadings: Bool
  /// The cells of the longest bar.
  var barWidth: Int
  /// The greatest value of each measure.
  var greatest: [Double]
  /// The number of events of each agent over the last minutes, by ID, if they are shown.
  private var activity: [String: [Int]]

  /// Creates the context for records of one type.
  init(_ records: [any TabledRecord], _ text: RecordText, hasHeadings: Bool) {
    now = text.now
    ids = ShortIDs(records.flatMap(\.shownIDs))
    isLive = text.width != nil
    thinking = text.thinking
    home = text.home
    self.hasHeadings = hasHeadings
    activity = text.activity
    barWidth = max(6, min(30, (text.width ?? 80) / 5))
    greatest = records.reduce(into: records.first?.measures ?? []) { greatest, record in
      for (index, value) in record.measures.enumerated() {
        greatest[index] = max(greatest[index], value)
      }
    }
  }

  /// Returns a path relative to the home folder, such as `~/Documents/a.md`; any other unchanged.
  func path(_ path: String) -> String {
    guard let home, home.hasPrefix("/"), home != "/", path.hasPrefix(home + "/") else {
      return path
    }
    return "~" + path.dropFirst(home.count)
  }

  /// Returns the recent activity of an agent.
  func activity(of agent: String) -> TableCell {
    TableCell(drawn: Plots.sparkline(activity[agent] ?? [], width: 20), .accent)
  }

  /// Returns a bar for a measure of a record.
  func bar(_ measure: Int, of record: some TabledRecord, _ look: Look) -> TableCell {
    TableCell(
      drawn: Plots.bar(record.measures[measure], of: greatest[measure], width: barWidth), look)
  }

  /// Returns an ID, shortened on a terminal.
  func id(_ id: String?, _ look: Look = .faint) -> TableCell {
    TableCell(id.map { isLive ? ids.short($0) : $0 } ?? "", look)
  }

  /// Returns an instant: relative on a terminal, in full in a file.
  func time(_ instant: Timestamp?) -> TableCell {
    guard let instant else { return .empty }
    return TableCell(isLive ? Ago.text(instant, now: now) : instant.iso8601, .faint)
  }

  /// Returns the instant of an event.
  func time(_ milliseconds: Int64) -> TableCell { time(Timestamp(milliseconds: milliseconds)) }

  /// Returns a count, with its unit if there are no headings; empty for nil.
  func count(_ count: Int?, _ unit: String, _ look: Look = .plain) -> TableCell {
    TableCell(count.map { hasHeadings ? Numbers.short($0) : Numbers.of($0, unit) } ?? "", look)
  }

  /// Returns a number, with a word if there are no headings.
  func amount(_ count: Int, _ word: String) -> TableCell {
    TableCell(hasHeadings ? Numbers.short(count) : "\(Numbers.short(count)) \(word)")
  }

  /// Returns a sum in dollars; empty if the sum does not apply.
  func dollars(_ cost: Double?, isKnown: Bool = true) -> TableCell {
    isKnown ? TableCell(Numbers.dollars(cost)) : .empty
  }

  /// Returns a status as a word.
  func status<Status: RawRepresentable<String>>(_ status: Status) -> TableCell {
    TableCell(status.rawValue, Look(status: status.rawValue))
  }
}

extension Look {
  /// Creates the look of a status.
  init(status: String) {
    switch status {
    case "completed", "approved", "finished", "created", "applied", "trusted": self = .good
    case "running", "updated": self = .accent
    case "waiting", "paused", "pending", "open", "accepted", "unreachable": self = .warning
    case "failed", "error", "rejected", "lost", "refused", "revoked", "mismatch": self = .bad
    default: self = .faint
    }
  }

  /// Creates the look of a level.
  init(_ level: Log.Level) {
    switch level {
    case .debug: self = .faint
    case .info: self = .plain
    case .warn: self = .warning
    case .error: self = .bad
    case .critical: self = .urgent
    }
  }
}
