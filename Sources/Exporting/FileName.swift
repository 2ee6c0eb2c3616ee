import Core
import Foundation

/// Names of folders and files, made of texts from outside.
enum FileName {
  /// The text as a name: what is no letter, digit, `-`, `_` or space becomes `-`, the ends are
  /// trimmed of `-`, and what is over the limit is cut at a character's boundary.
  ///
  /// Letters and digits are the Unicode categories L, M and N. A mark counts only behind a letter
  /// or digit: alone it would be a name that nobody sees. The text is put in NFC first, so that
  /// one project has one folder however it was typed.
  static func safe(_ text: String, limit: Int, fallback: String) -> String {
    var scalars = String.UnicodeScalarView()
    var carriesMarks = false
    for scalar in start(of: text).precomposedStringWithCanonicalMapping.unicodeScalars {
      switch kind(scalar) {
      case .letter: carriesMarks = true
      case .mark where carriesMarks: break
      case .sign: carriesMarks = false
      default:
        carriesMarks = false
        scalars.append("-")
        continue
      }
      scalars.append(scalar)
    }
    let name = trimmed(cut(trimmed(String(scalars)), limit))
    return name.allSatisfy({ $0 == " " || $0 == "-" }) ? fallback : name
  }

  /// As much of the text as can get into a name; it may hold megabytes.
  private static func start(of text: String) -> String {
    let named = text.unicodeScalars.drop { $0 == "-" || ![.letter, .sign].contains(kind($0)) }
    return String(String.UnicodeScalarView(named.prefix(4096)))
  }

  /// The instant as names have it: `2026-02-25T10-00-00Z`.
  static func stamp(_ instant: Timestamp) -> String {
    String(instant.iso8601.dropLast(5).map { $0 == ":" ? "-" : $0 }) + "Z"
  }

  private enum Kind { case letter, mark, sign, other }

  private static func kind(_ scalar: Unicode.Scalar) -> Kind {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber:
      .letter
    case .nonspacingMark, .spacingMark, .enclosingMark: .mark
    default: scalar == "-" || scalar == "_" || scalar == " " ? .sign : .other
    }
  }

  private static func trimmed(_ name: String) -> String {
    let scalars = name.unicodeScalars
    guard let start = scalars.firstIndex(where: { $0 != "-" }),
      let end = scalars.lastIndex(where: { $0 != "-" })
    else { return "" }
    return String(scalars[start...end])
  }

  /// The longest start of at most so many bytes that ends with a character; a character that is
  /// longer by itself is cut between its scalars.
  private static func cut(_ name: String, _ limit: Int) -> String {
    guard name.utf8.count > limit else { return name }
    var whole = ""
    for character in name {
      guard whole.utf8.count + character.utf8.count <= limit else { break }
      whole.append(character)
    }
    guard whole.isEmpty else { return whole }
    var scalars = String.UnicodeScalarView()
    var count = 0
    for scalar in name.unicodeScalars {
      count += UTF8.width(scalar)
      guard count <= limit else { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }
}
