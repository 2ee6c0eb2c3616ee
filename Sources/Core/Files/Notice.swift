/// Something that a library reports while its work goes on, for ``Diagnostics``.
public enum Notice: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// A sentence for the person who runs the tool.
  case sentence(String)
  /// A sentence that a process says once.
  case once(String)
  /// A line of `breadcrumbs.ndjson`, in place of which a terminal shows a sentence if there is one.
  case detail(Diagnostics.Category, String, onTerminal: String? = nil)
  /// The seconds that a step took.
  case timing(String, seconds: Double)

  /// Creates a sentence.
  public init(stringLiteral sentence: String) { self = .sentence(sentence) }
}

/// A function that takes notices.
public typealias Note = @Sendable (Notice) -> Void
