/// A message that a library reports while its work continues.
///
/// A tool passes it to ``Diagnostics``.
public enum Notice: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// A sentence for the person who runs the tool.
  case sentence(String)
  /// A sentence that a process prints at most once.
  case once(String)
  /// A line for `breadcrumbs.ndjson`. A terminal shows `onTerminal` instead, unless that is nil.
  case detail(Diagnostics.Category, String, onTerminal: String? = nil)
  /// The progress line of the terminal; an empty text clears it.
  case progress(String)
  /// A line that is printed only if a person asked for details, and stored nowhere.
  case verbose(String)
  /// The duration of a step in seconds.
  case timing(String, seconds: Double)

  /// Creates a notice that is the given sentence.
  public init(stringLiteral sentence: String) { self = .sentence(sentence) }
}

/// A function that receives notices.
public typealias NoticeHandler = @Sendable (Notice) -> Void
