public import Core

/// A pattern of tool names, in which `*` stands for any characters and `?` for one.
///
/// A pattern is compared with `SOURCE/NAME` and with NAME alone.
public struct ToolPattern: Sendable, Hashable {
  /// The pattern's text.
  public let text: String
  private let scalars: [Unicode.Scalar]

  /// Creates a pattern from its text.
  public init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
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
  ///
  /// Characters are compared by their code points. The time is at most the product of both lengths.
  func matches(text: String) -> Bool {
    let text = Array(text.unicodeScalars)
    var (at, place) = (0, 0)
    // The last star, and the place up to which it stands for characters.
    var star: (at: Int, place: Int)?
    while place < text.count {
      if at < scalars.count, scalars[at] == "*" {
        star = (at, place)
        at += 1
      } else if at < scalars.count, scalars[at] == "?" || scalars[at] == text[place] {
        (at, place) = (at + 1, place + 1)
      } else if let last = star {
        star = (last.at, last.place + 1)
        (at, place) = (last.at + 1, last.place + 1)
      } else {
        return false
      }
    }
    return scalars[at...].allSatisfy { $0 == "*" }
  }
}
