import Core
import Foundation

/// The creation of names of folders and files from untrusted text.
enum FileName {
  /// The maximum number of bytes of a name, including its extension.
  static let longest = 200

  /// Returns the given text as a name that has only letters, digits, `-`, `_` and spaces.
  ///
  /// Every other character becomes `-`. The name is empty if nothing remains. Dots, `-` and spaces
  /// at the ends are removed, and a name over the limit is cut at a character boundary.
  ///
  /// Letters and digits are the Unicode categories L, M and N, except a mark that does not follow a
  /// letter or digit. A zero-width joiner between letters is kept. The text is normalized to NFC
  /// first, so that all encodings of a project's name give the same folder.
  static func plain(_ text: String, limit: Int = longest) -> String {
    var scalars = String.UnicodeScalarView()
    var carriesMarks = false
    let given = Array(start(of: text).precomposedStringWithCanonicalMapping.unicodeScalars)
    for (index, scalar) in given.enumerated() {
      switch kind(scalar) {
      case .letter: carriesMarks = true
      case .mark where carriesMarks: break
      case .sign: carriesMarks = false
      case .joiner
      where carriesMarks && joins(scalars.last, given.dropFirst(index + 1).first)
        && kind(given[index + 1]) == .letter:
        break
      default:
        carriesMarks = false
        scalars.append("-")
        continue
      }
      scalars.append(scalar)
    }
    return trimmed(cut(trimmed(String(scalars)), limit))
  }

  /// Returns the given text as a part of a name that may have punctuation and symbols.
  ///
  /// Invisible characters are dropped, except a zero-width joiner between two characters that it
  /// joins. `#`, `^`, `[` and `]` are dropped too, because no link in a vault can lead to a note
  /// with one of them in its name. Characters that some system refuses in a name become `-`, and
  /// white space becomes one space. The result is empty if nothing remains.
  static func readable(_ text: String, limit: Int = longest) -> String {
    var scalars = String.UnicodeScalarView()
    var joiner: Unicode.Scalar?
    for scalar in text.unicodeScalars.prefix(4096) {
      if kind(scalar) == .joiner {
        joiner = joiner ?? scalar
      } else if scalar.properties.isWhitespace {
        if scalars.last != " " { scalars.append(" ") }
      } else if refused.contains(scalar) {
        scalars.append("-")
      } else if linking.contains(scalar) {
        joiner = nil
      } else if isVisible(scalar), kind(scalar) != .mark || !(scalars.last.map(isEnd) ?? true) {
        if let joiner, joins(scalars.last, scalar) { scalars.append(joiner) }
        joiner = nil
        scalars.append(scalar)
      }
    }
    let name = String(scalars).precomposedStringWithCanonicalMapping
    return trimmed(cut(trimmed(name), limit))
  }

  /// Returns `true` if a part of a name may contain the given character.
  static func isKept(_ scalar: Unicode.Scalar) -> Bool {
    !refused.contains(scalar) && isVisible(scalar)
  }

  /// Returns the whole name with the given stem, hash and extension.
  ///
  /// The stem is shortened so that the name has at most ``longest`` bytes. If Windows reserves the
  /// name for a device, a `_` is inserted before the first dot.
  static func whole(_ stem: String, hash: String = "", extension suffix: String = "") -> String {
    let tail = (hash.isEmpty ? "" : "-" + hash) + suffix
    let stem = trimmed(cut(trimmed(stem), longest - 1 - tail.utf8.count))
    let first = stem.prefix { $0 != "." }
    guard devices.contains(trimmed(String(first)).uppercased()) else { return stem + tail }
    return first + "_" + stem.dropFirst(first.count) + tail
  }

  /// Returns the given name, case-folded and in NFC.
  ///
  /// Names that some file system considers equal have the same result.
  static func folded(_ name: String) -> String {
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
    // HFS+ ignores joiners when it compares names.
    let joined = String(String.UnicodeScalarView(name.unicodeScalars.filter { !isJoiner($0) }))
    // Converting to upper case and then to lower case gives `ß` and `SS`, `ſ` and `s`, `ς` and `σ`
    // the same form.
    return joined.decomposedStringWithCanonicalMapping.uppercased().lowercased()
      .precomposedStringWithCanonicalMapping
  }

  /// Returns the given instant in the form for names, such as `2026-02-25T10-00-00Z`.
  static func stamp(_ instant: Timestamp) -> String {
    String(instant.iso8601.dropLast(5).map { $0 == ":" ? "-" : $0 }) + "Z"
  }
}

extension FileName {
  private enum Kind { case letter, mark, sign, joiner, other }

  /// The characters that must not be in a name.
  ///
  /// They separate components or are refused by Windows. U+FFFD is included, because it stands for
  /// invalid text.
  private static let refused = Set("/\\:*?\"<>|\u{FFFD}".unicodeScalars)

  /// The characters that links of vaults and wikis give a meaning.
  private static let linking = Set("#^[]".unicodeScalars)

  private static let devices: Set<String> = {
    let ports = "0123456789¹²³".flatMap { ["COM\($0)", "LPT\($0)"] }
    return Set(["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"] + ports)
  }()

  /// Returns as much of the given text's start as a name can need.
  ///
  /// The text may be megabytes long.
  private static func start(of text: String) -> String {
    let named = text.unicodeScalars.drop { $0 == "-" || ![.letter, .sign].contains(kind($0)) }
    return String(String.UnicodeScalarView(named.prefix(4096)))
  }

  private static func kind(_ scalar: Unicode.Scalar) -> Kind {
    switch scalar.properties.generalCategory {
    case _ where isJoiner(scalar): .joiner
    // Some ignorable characters, such as fillers, are in the category of letters.
    case _ where scalar.properties.isDefaultIgnorableCodePoint: .other
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber:
      .letter
    case .nonspacingMark, .spacingMark, .enclosingMark: .mark
    default: scalar == "-" || scalar == "_" || scalar == " " ? .sign : .other
    }
  }

  /// Returns `true` for a zero-width joiner and a zero-width non-joiner.
  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{200C}" || scalar == "\u{200D}"
  }

  /// Returns `true` if a joiner between the given characters has an effect.
  ///
  /// It has none beside ASCII, where it would only make equal names differ.
  private static func joins(_ left: Unicode.Scalar?, _ right: Unicode.Scalar?) -> Bool {
    guard let left, let right else { return false }
    return !left.isASCII && !right.isASCII && !isJoiner(left)
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .privateUse, .surrogate, .unassigned: false
    default: !scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// Returns the given name without dots, hyphens and spaces at either end.
  private static func trimmed(_ name: String) -> String {
    let scalars = name.unicodeScalars
    guard let start = scalars.firstIndex(where: { !isEnd($0) }),
      let end = scalars.lastIndex(where: { !isEnd($0) })
    else { return "" }
    return String(scalars[start...end])
  }

  private static func isEnd(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar == "." || scalar == " " || isJoiner(scalar)
  }

  /// Returns the longest prefix of the given name with at most `limit` bytes and only whole
  /// characters.
  ///
  /// If even the first character is longer, it is cut between scalars.
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
