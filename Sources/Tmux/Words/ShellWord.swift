public import Core

/// A word of a command line, quoted so that every login shell reads it alike.
///
/// The word is in single quotes. Three characters are put outside the quotes, after a backslash:
/// the single quote, the backslash (which fish interprets inside quotes), and `!` (which csh
/// interprets inside quotes).
public struct ShellWord: Sendable, Hashable {
  /// The word as it appears in a command line.
  public let quoted: String

  /// Quotes the given text.
  ///
  /// - Parameter text: The argument that the program receives.
  /// - Throws: `BadInput` if the text has control characters, because csh cannot quote a line feed.
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

  /// Returns the given words as a command line.
  ///
  /// - Throws: `BadInput` if a word has control characters.
  public static func line(_ words: [String]) throws(Failure) -> String {
    var quoted: [String] = []
    for word in words { quoted.append(try ShellWord(word).quoted) }
    return quoted.joined(separator: " ")
  }
}
