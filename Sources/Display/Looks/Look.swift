/// The appearance of a text.
///
/// A look only emphasizes what the words already say, because some people see no colours.
public enum Look: Sendable, Hashable, CaseIterable {
  /// Normal text.
  case plain
  /// Less important text, such as an id, a time or an ended item.
  case faint
  /// More important text, such as a title or a question.
  case strong
  /// Success or work in progress.
  case good
  /// A possible problem.
  case warning
  /// A failure.
  case bad
  /// A problem that cannot wait.
  case urgent
  /// A name or code.
  case accent
  /// The heading of a column.
  case heading
  /// Emphasis in prose.
  case emphasis
  /// The selected row.
  case chosen

  /// The SGR attributes that draw the look (ECMA-48).
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
