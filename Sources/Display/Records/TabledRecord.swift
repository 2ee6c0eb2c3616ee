import Core

/// A record that a person sees as a row of a table.
protocol TabledRecord: StreamRecord {
  /// The columns, what matters most to the left.
  static var columns: [TableColumn] { get }

  /// The ids that are shown, to tell them from each other.
  var shownIDs: [String] { get }

  /// A cell for each column.
  func cells(_ row: RowContext) -> [TableCell]
}

/// What a row is shown by, beside its record.
struct RowContext {
  /// The moment that times are told from.
  var now: Timestamp
  /// What is shown of ids.
  var ids: ShortIDs
  /// Whether a person looks at it now, not later in a file.
  var isLive: Bool
  /// Whether headings tell what numbers count.
  var hasHeadings: Bool

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
