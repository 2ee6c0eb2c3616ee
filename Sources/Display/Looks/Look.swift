/// How a piece of text stands out; what it says is in its words too, since colour is never alone.
public enum Look: Sendable, Hashable, CaseIterable {
  /// As all text.
  case plain
  /// Of less matter: ids, times, what has ended.
  case faint
  /// Of more matter: titles, what is asked.
  case strong
  /// What went well, what is at work.
  case good
  /// What a person may have to look at.
  case warning
  /// What failed.
  case bad
  /// What cannot wait.
  case urgent
  /// What names something, and code.
  case accent
  /// What stands above a column.
  case heading
  /// Emphasis in prose.
  case emphasis
  /// The row that keys act on.
  case chosen

  /// The attributes of ECMA-48's SGR.
  var attributes: String {
    switch self {
    case .plain: ""
    case .faint: "2"
    case .strong: "1"
    case .good: "32"
    case .warning: "33"
    case .bad: "31"
    case .urgent: "1;31"
    case .accent: "36"
    case .heading: "1;4"
    case .emphasis: "3"
    case .chosen: "7"
    }
  }
}
