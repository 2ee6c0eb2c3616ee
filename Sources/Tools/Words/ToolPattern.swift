public import Core

/// A pattern of tool names, in which `*` stands for any characters and `?` for one.
///
/// A pattern is compared with `SOURCE/NAME` and with NAME alone.
public struct ToolPattern: Sendable, Hashable {
  /// The pattern's text.
  public let text: String
  private let wildcards: Wildcards

  /// Creates a pattern from its text.
  public init(_ text: String) {
    self.text = text
    wildcards = Wildcards(text)
  }

  /// Returns `true` if the given tool matches.
  public func matches(_ tool: ToolRecord) -> Bool {
    matches(text: tool.fullName) || matches(text: tool.name)
  }

  /// Returns `true` if the pattern covers all tools of the given source, or the source by its name.
  public func covers(source: String) -> Bool {
    if text == "*" || matches(text: source) { return true }
    guard let slash = text.firstIndex(of: "/"), text[slash...] == "/*" else { return false }
    return ToolPattern(String(text[..<slash])).matches(text: source)
  }

  /// Returns `false` if no tool of the given source can match.
  func mayMatch(source: String) -> Bool {
    // A star may stand for a slash, and a name alone may contain one.
    guard let slash = text.firstIndex(of: "/"), !text[..<slash].contains("*"),
      text[..<slash].contains(":")
    else { return true }
    return ToolPattern(String(text[..<slash])).matches(text: source)
  }

  /// Returns `true` if the whole text matches.
  func matches(text: String) -> Bool { wildcards.matches(text) }
}
