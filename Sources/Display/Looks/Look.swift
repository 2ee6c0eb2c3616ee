/// The appearance of a text.
///
/// Its words carry the same meaning, because colour is never enough.
public enum Look: Sendable, Hashable, CaseIterable {
  /// Normal text.
  case plain
  /// Less important text: IDs, times, ended items.
  case faint
  /// More important text: titles, questions.
  case strong
  /// Success, or work in progress.
  case good
  /// A possible problem.
  case warning
  /// A failure.
  case bad
  /// A problem that cannot wait.
  case urgent
  /// A name, or code.
  case accent
  /// The heading of a column.
  case heading
  /// Emphasis in prose.
  case emphasis
  /// The selected row.
  case chosen

  /// The SGR attributes (ECMA-48).
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
