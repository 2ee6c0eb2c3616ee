public import Core

/// A word of a command line that a login shell takes apart, whichever shell that is.
///
/// One form that sh, bash, zsh, ksh, fish and csh read alike: all in single quotes, but for three
/// characters, each with a backslash before it and outside of the quotes. A single quote ends the
/// quotes; fish obeys a backslash in them; csh obeys `!` in them.
public struct ShellWord: Sendable, Hashable {
  /// The word as it stands in a command line.
  public let quoted: String

  /// Quotes a word.
  ///
  /// - Parameter text: What the program gets.
  /// - Throws: `BadInput` for control characters: csh has no quotes for a line feed, and nothing that
  ///   is named here needs the others.
  public init(_ text: String) throws(Failure) {
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw Failure(
        .badInput,
        "'\(Visible.line(text))' contains a control character, which is not sent to a remote shell"
      )
    }
    var quoted = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'", "\\", "!": quoted += "'\\\(scalar)'"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    self.quoted = quoted + "'"
  }

  /// Words as a command line.
  ///
  /// - Throws: `BadInput` for control characters.
  public static func line(_ words: [String]) throws(Failure) -> String {
    var quoted: [String] = []
    for word in words { quoted.append(try ShellWord(word).quoted) }
    return quoted.joined(separator: " ")
  }
}
