public import Core

/// A word of a command line, quoted for any login shell.
///
/// The form is read alike by sh, bash, zsh, ksh, fish and csh: everything is in single quotes,
/// except three characters, each outside the quotes after a backslash. A single quote ends the
/// quotes, fish interprets a backslash in them, and csh interprets `!` in them.
public struct ShellWord: Sendable, Hashable {
  /// The word as it appears in a command line.
  public let quoted: String

  /// Quotes a word.
  ///
  /// - Parameter text: The argument that the program receives.
  /// - Throws: `BadInput` for control characters: csh cannot quote a line feed, and no argument
  ///   here needs the others.
  public init(_ text: String) throws(Failure) {
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw Failure(
        .badInput, "'\(Visible.line(text))' has a control character, which no remote shell is given"
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

  /// Returns words as a command line.
  ///
  /// - Throws: `BadInput` for control characters.
  public static func line(_ words: [String]) throws(Failure) -> String {
    var quoted: [String] = []
    for word in words { quoted.append(try ShellWord(word).quoted) }
    return quoted.joined(separator: " ")
  }
}
