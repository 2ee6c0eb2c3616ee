import Core
import Foundation

/// Names of folders and files, made of texts from outside.
enum FileName {
  /// The bytes that a name may have, its extension included.
  static let longest = 200

  /// The text as a name of letters, digits, `-`, `_` and spaces; empty when nothing is left.
  ///
  /// Every other character becomes `-`, the ends are trimmed of dots, `-` and spaces, and what is
  /// over the limit is cut at a character's boundary.
  ///
  /// Letters and digits are the Unicode categories L, M and N. A mark counts only behind a letter
  /// or digit: alone it would be a name that nobody sees. The text is put in NFC first, so that
  /// one project has one folder however it was typed.
  static func plain(_ text: String, limit: Int = longest) -> String {
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
    return trimmed(cut(trimmed(String(scalars)), limit))
  }

  /// The text as a part of a name that keeps punctuation and symbols too; empty when nothing is
  /// left.
  ///
  /// What nobody sees is dropped, what some system refuses in a name becomes `-`, white space
  /// becomes one space.
  static func readable(_ text: String, limit: Int = longest) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(4096) {
      if scalar.properties.isWhitespace {
        if scalars.last != " " { scalars.append(" ") }
      } else if refused.contains(scalar) {
        scalars.append("-")
      } else if isVisible(scalar), kind(scalar) != .mark || !(scalars.last.map(isEnd) ?? true) {
        scalars.append(scalar)
      }
    }
    let name = String(scalars).precomposedStringWithCanonicalMapping
    return trimmed(cut(trimmed(name), limit))
  }

  /// Whether a part of a name may hold the character.
  static func isKept(_ scalar: Unicode.Scalar) -> Bool {
    !refused.contains(scalar) && isVisible(scalar)
  }

  /// A whole name: stem, a hash where one is needed, and extension, in at most ``longest`` bytes.
  ///
  /// A name that Windows takes for a device gets a `_` behind its first part.
  static func whole(_ stem: String, hash: String = "", extension suffix: String = "") -> String {
    let tail = (hash.isEmpty ? "" : "-" + hash) + suffix
    let stem = trimmed(cut(trimmed(stem), longest - 1 - tail.utf8.count))
    let first = stem.prefix { $0 != "." }
    guard devices.contains(trimmed(String(first)).uppercased()) else { return stem + tail }
    return first + "_" + stem.dropFirst(first.count) + tail
  }

  /// What two names have in common that some file system takes for one: the name case-folded, in
  /// NFC.
  static func folded(_ name: String) -> String {
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
    // Up, then down: `ß` and `SS`, `ſ` and `s`, `ς` and `σ` have one form then.
    return name.decomposedStringWithCanonicalMapping.uppercased().lowercased()
      .precomposedStringWithCanonicalMapping
  }

  /// The instant as names have it: `2026-02-25T10-00-00Z`.
  static func stamp(_ instant: Timestamp) -> String {
    String(instant.iso8601.dropLast(5).map { $0 == ":" ? "-" : $0 }) + "Z"
  }
}

extension FileName {
  private enum Kind { case letter, mark, sign, other }

  /// What separates components, or what Windows does not have in names; U+FFFD stands for what
  /// could not be read.
  private static let refused = Set("/\\:*?\"<>|\u{FFFD}".unicodeScalars)

  private static let devices: Set<String> = {
    let ports = "0123456789¹²³".flatMap { ["COM\($0)", "LPT\($0)"] }
    return Set(["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"] + ports)
  }()

  /// As much of the text as can get into a name; it may hold megabytes.
  private static func start(of text: String) -> String {
    let named = text.unicodeScalars.drop { $0 == "-" || ![.letter, .sign].contains(kind($0)) }
    return String(String.UnicodeScalarView(named.prefix(4096)))
  }

  private static func kind(_ scalar: Unicode.Scalar) -> Kind {
    switch scalar.properties.generalCategory {
    // Fillers are letters that nobody sees.
    case _ where scalar.properties.isDefaultIgnorableCodePoint: .other
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber:
      .letter
    case .nonspacingMark, .spacingMark, .enclosingMark: .mark
    default: scalar == "-" || scalar == "_" || scalar == " " ? .sign : .other
    }
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .privateUse, .surrogate, .unassigned: false
    default: !scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// Without a dot, hyphen or space at either end.
  private static func trimmed(_ name: String) -> String {
    let scalars = name.unicodeScalars
    guard let start = scalars.firstIndex(where: { !isEnd($0) }),
      let end = scalars.lastIndex(where: { !isEnd($0) })
    else { return "" }
    return String(scalars[start...end])
  }

  private static func isEnd(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar == "." || scalar == " "
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
