import Core

/// A record that a person sees as a row of a table.
protocol TabledRecord: StreamRecord {
  /// The columns, what matters most to the left.
  static var columns: [TableColumn] { get }

  /// What stands above the first column, where the type does not tell.
  var firstHeading: String? { get }

  /// What its bars tell, each beside the greatest of the table.
  var measures: [Double] { get }

  /// The ids that are shown, to tell them from each other.
  var shownIDs: [String] { get }

  /// A cell for each column.
  func cells(_ row: RowContext) -> [TableCell]
}

extension TabledRecord {
  var firstHeading: String? { nil }
  var measures: [Double] { [] }
}

/// What a row is shown by, beside its record.
struct RowContext {
  /// The moment that times are told from.
  var now: Timestamp
  /// What is shown of ids.
  var ids: ShortIDs
  /// Whether a person looks at it now, not later in a file.
  var isLive: Bool
  /// The stages whose model thinks and says nothing yet.
  var thinking: Set<String>
  /// The user's home folder, which paths show as `~`.
  private let home: String?
  /// Whether headings tell what numbers count.
  var hasHeadings: Bool
  /// The cells of the longest bar.
  var barWidth: Int
  /// The greatest of each measure.
  var greatest: [Double]
  /// Events of agents over the last minutes, by id, where they are to be shown.
  private var activity: [String: [Int]]

  /// What shows records of one type.
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

  /// Returns a path from the home folder on, such as `~/Documents/a.md`; any other as it is.
  func path(_ path: String) -> String {
    guard let home, home.hasPrefix("/"), home != "/", path.hasPrefix(home + "/") else {
      return path
    }
    return "~" + path.dropFirst(home.count)
  }

  /// What an agent did over the last minutes.
  func activity(of agent: String) -> TableCell {
    TableCell(drawn: Plots.sparkline(activity[agent] ?? [], width: 20), .accent)
  }

  /// A bar as long as a measure of a record.
  func bar(_ measure: Int, of record: some TabledRecord, _ look: Look) -> TableCell {
    TableCell(
      drawn: Plots.bar(record.measures[measure], of: greatest[measure], width: barWidth), look)
  }

  /// An id: short for whoever can ask for more.
  func id(_ id: String?, _ look: Look = .faint) -> TableCell {
    TableCell(id.map { isLive ? ids.short($0) : $0 } ?? "", look)
  }

  /// An instant: as a person says it, in a file as it is.
  func time(_ instant: Timestamp?) -> TableCell {
    guard let instant else { return .empty }
    return TableCell(isLive ? Ago.text(instant, now: now) : instant.iso8601, .faint)
  }

  /// An instant of an event.
  func time(_ milliseconds: Int64) -> TableCell { time(Timestamp(milliseconds: milliseconds)) }

  /// A count, with what it counts where no heading says so; nothing where none is told.
  func count(_ count: Int?, _ unit: String, _ look: Look = .plain) -> TableCell {
    TableCell(count.map { hasHeadings ? Numbers.short($0) : Numbers.of($0, unit) } ?? "", look)
  }

  /// A number of what a word tells, where no heading does.
  func amount(_ count: Int, _ word: String) -> TableCell {
    TableCell(hasHeadings ? Numbers.short(count) : "\(Numbers.short(count)) \(word)")
  }

  /// A sum; nothing where none is told.
  func dollars(_ cost: Double?, isKnown: Bool = true) -> TableCell {
    isKnown ? TableCell(Numbers.dollars(cost)) : .empty
  }

  /// A status, a word of the record's own.
  func status<Status: RawRepresentable<String>>(_ status: Status) -> TableCell {
    TableCell(status.rawValue, Look(status: status.rawValue))
  }
}

extension Look {
  /// How a status stands out.
  init(status: String) {
    switch status {
    case "completed", "approved", "finished", "created", "applied", "trusted": self = .good
    case "running", "updated": self = .accent
    case "waiting", "paused", "pending", "open", "accepted", "unreachable": self = .warning
    case "failed", "error", "rejected", "lost", "refused", "revoked", "mismatch": self = .bad
    default: self = .faint
    }
  }

  /// How a level stands out.
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
