import Core

/// A record that can be shown as a row of a table.
protocol TabledRecord: StreamRecord {
  /// The columns of the table. The most important column is first.
  static var columns: [TableColumn] { get }

  /// The heading of the first column if it depends on the record; nil for the column's own heading.
  var firstHeading: String? { get }

  /// The name of the machine that the record came from; nil if it is the place's own machine.
  var machine: String? { get }

  /// The values that the row draws as bars. A bar is relative to the greatest value in the table.
  var measures: [Double] { get }

  /// The ids that the row shows. They are shortened, but must still differ.
  var shownIDs: [String] { get }

  /// Returns the cells, one for each column.
  func cells(_ row: RowContext) -> [TableCell]
}

extension TabledRecord {
  var firstHeading: String? { nil }
  var machine: String? { nil }
  var measures: [Double] { [] }
}

/// The context in which a row is rendered.
struct RowContext {
  /// The current time, from which ages are computed.
  var now: Timestamp
  /// The rule that shortens ids.
  var ids: ShortIDs
  /// `true` if a person reads the output immediately, and not later from a file.
  var isLive: Bool
  /// The ids of stages whose model is thinking but has not begun to answer.
  var thinking: Set<String>
  /// The user's home folder, which paths show as `~`.
  private let home: String?
  /// `true` if headings explain the numbers.
  ///
  /// Cells then need no units.
  var hasHeadings: Bool
  /// The length of the longest bar, in cells.
  var barWidth: Int
  /// The greatest value of each measure, among all rows of the table.
  var greatest: [Double]
  /// The number of events in each recent minute, by agent id; empty if it is not shown.
  private var activity: [String: [Int]]
  /// The name of the place's own machine; nil if it is unknown.
  private let ownHost: String?
  /// `true` if the records came from several machines.
  ///
  /// Only then are their names shown.
  private let hasHosts: Bool

  /// Creates the context for rows of the given records, which must all have one type.
  init(_ records: [any TabledRecord], _ text: RecordText, hasHeadings: Bool) {
    now = text.now
    ids = ShortIDs(records.flatMap(\.shownIDs))
    isLive = text.width != nil
    thinking = text.thinking
    home = text.home
    self.hasHeadings = hasHeadings
    activity = text.activity
    let own = text.host
    ownHost = own
    hasHosts = Set(records.map { $0.machine ?? own }).count > 1
    barWidth = max(6, min(30, (text.width ?? 80) / 5))
    greatest = records.reduce(into: records.first?.measures ?? []) { greatest, record in
      for (index, value) in record.measures.enumerated() {
        greatest[index] = max(greatest[index], value)
      }
    }
  }

  /// Returns the given path.
  ///
  /// A path in the home folder begins with `~`, such as `~/Documents/a.md`.
  func path(_ path: String) -> String {
    guard let home, home.hasPrefix("/"), home != "/", path.hasPrefix(home + "/") else {
      return path
    }
    return "~" + path.dropFirst(home.count)
  }

  /// Returns the name of the machine that the given record came from.
  ///
  /// The cell is empty if all records came from one machine.
  func host(of record: some TabledRecord) -> TableCell {
    TableCell(hasHosts ? record.machine ?? ownHost ?? "" : "")
  }

  /// Returns a plot of the given agent's activity in recent minutes.
  func activity(of agent: String) -> TableCell {
    TableCell(drawn: Plots.sparkline(activity[agent] ?? [], width: 20), .accent)
  }

  /// Returns a bar for the measure with the given index.
  func bar(_ measure: Int, of record: some TabledRecord, _ look: Look) -> TableCell {
    TableCell(
      drawn: Plots.bar(record.measures[measure], of: greatest[measure], width: barWidth), look)
  }

  /// Returns the given id.
  ///
  /// On a terminal, it is shortened.
  func id(_ id: String?, _ look: Look = .faint) -> TableCell {
    TableCell(id.map { isLive ? ids.short($0) : $0 } ?? "", look)
  }

  /// Returns the given instant.
  ///
  /// On a terminal it is relative to now, such as `3 min ago`.
  func time(_ instant: Timestamp?) -> TableCell {
    guard let instant else { return .empty }
    return TableCell(isLive ? Ago.text(instant, now: now) : instant.iso8601, .faint)
  }

  /// Returns the given instant of an event, which is in milliseconds since 1970.
  func time(_ milliseconds: Int64) -> TableCell { time(Timestamp(milliseconds: milliseconds)) }

  /// Returns the given count; an empty cell for nil.
  ///
  /// Without headings, the unit is added.
  func count(_ count: Int?, _ unit: String, _ look: Look = .plain) -> TableCell {
    TableCell(count.map { hasHeadings ? Numbers.short($0) : Numbers.of($0, unit) } ?? "", look)
  }

  /// Returns the given number.
  ///
  /// Without headings, `word` is added.
  func amount(_ count: Int, _ word: String) -> TableCell {
    TableCell(hasHeadings ? Numbers.short(count) : "\(Numbers.short(count)) \(word)")
  }

  /// Returns the given cost in US dollars, or the known part of it.
  ///
  /// The cell is empty if there is neither, unless `isKnown` is `true`.
  func dollars(_ cost: Double?, known: Double?, isKnown: Bool = false) -> TableCell {
    isKnown || cost != nil || known != nil
      ? TableCell(Numbers.dollars(cost, known: known)) : .empty
  }

  /// Returns the given status as a word.
  func status<Status: RawRepresentable<String>>(_ status: Status) -> TableCell {
    TableCell(status.rawValue, Look(status: status.rawValue))
  }
}

extension Look {
  /// Creates the look of the given status.
  init(status: String) {
    switch status {
    case "completed", "approved", "finished", "created", "applied", "trusted", "sent", "ok":
      self = .good
    case "running", "updated": self = .accent
    case "waiting", "paused", "pending", "open", "accepted", "unreachable": self = .warning
    case "failed", "error", "rejected", "lost", "refused", "revoked", "mismatch": self = .bad
    default: self = .faint
    }
  }

  /// Creates the look of the given log level.
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
