public import Core

/// A pattern of tool names, in which `*` stands for any characters and `?` for one.
///
/// A pattern is compared with `SOURCE/NAME` and with NAME alone; if it has a slash, also with
/// `SERVER/NAME`.
public struct ToolPattern: Sendable, Hashable {
  /// The pattern's text.
  public let text: String
  private let wildcards: Wildcards

  /// Creates a pattern from its text.
  public init(_ text: String) {
    self.text = text
    wildcards = Wildcards(text)
  }

  /// `true` if the pattern has no wildcards.
  var isName: Bool { !text.contains { "*?".contains($0) } }

  /// Returns `true` if the given tool matches.
  public func matches(_ tool: ToolRecord) -> Bool {
    if matches(text: tool.fullName) || matches(text: tool.name) { return true }
    // A star that stands for a slash must not reach the tools of all servers with such names.
    guard text.contains("/"), let name = tool.nameAtServer else { return false }
    return matches(text: name)
  }

  /// Returns `true` if the given tool matches, or if the pattern is the name of its source or its
  /// server.
  func chooses(_ tool: ToolRecord, among sources: [String]) -> Bool {
    guard !text.contains("/"), let source = ToolNames.source(text, among: sources) else {
      return matches(tool)
    }
    return tool.source == source
  }

  /// Returns `true` if the pattern covers all tools of the given source, or the source by its name.
  public func covers(source: String) -> Bool {
    if text == "*" || matches(text: source) { return true }
    guard let slash = text.firstIndex(of: "/"), text[slash...] == "/*" else { return false }
    let pattern = ToolPattern(String(text[..<slash]))
    return pattern.matches(text: source)
      || ToolNames.server(of: source).map(pattern.matches(text:)) ?? false
  }

  /// Returns `false` if no tool of the given source, which is one of several, can match.
  func mayMatch(source: String, among sources: [String]) -> Bool {
    let first = String(text.prefix { $0 != "/" })
    if let named = ToolNames.source(first, among: sources) { return named == source }
    // A star may stand for a slash, and a name alone may contain one.
    guard let slash = text.firstIndex(of: "/"), !text[..<slash].contains("*"),
      text[..<slash].contains(":")
    else { return true }
    return ToolPattern(String(text[..<slash])).matches(text: source)
  }

  /// Returns `true` if the whole text matches.
  func matches(text: String) -> Bool { wildcards.matches(text) }
}
