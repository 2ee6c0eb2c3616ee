/// The state of a terminal after some output, by a reading of ECMA-48 and xterm's ctlseqs that is
/// independent of the tools'.
struct TerminalJudge {
  /// The settings that differ from a terminal's initial state, each as the sequence that changed
  /// it.
  private(set) var leftovers: Set<String> = []
  /// Sequences that do not paint a screen.
  private(set) var strangers: [String] = []

  /// `true` if the alternate screen was entered.
  private(set) var tookScreen = false

  private static let usuallySet: Set<Substring> = ["?7", "?8", "?25", "12"]
  /// The final bytes of sequences that paint, without prefix or intermediates.
  private static let painting: Set<Character> = Set("ABCDEFGHIJKLMPSTXZ@`adefmrs")

  /// Reads all output of a terminal.
  init(_ text: String) throws {
    let control = try Regex<(Substring, Substring, Substring, Substring, Substring)>(
      "\u{1B}\\[([<=>?]?)([0-9;:]*)([ -/]*)([@-~])"
    ).matchingSemantics(.unicodeScalar)
    let escape = try Regex<(Substring, Substring, Substring)>(
      "\u{1B}([ -/]*)([0-Z\\\\^-~])"
    ).matchingSemantics(.unicodeScalar)
    var rest = text[...]
    while let start = rest.unicodeScalars.firstIndex(where: { $0.value < 0x20 || $0.value == 0x9B })
    {
      rest = rest[start...]
      if let match = rest.prefixMatch(of: control) {
        take(match.output.1, match.output.2, match.output.3, match.output.4)
        rest = rest[match.range.upperBound...]
      } else if let match = rest.prefixMatch(of: escape) {
        take(escape: match.output.1, match.output.2)
        rest = rest[match.range.upperBound...]
      } else {
        let scalar = rest.unicodeScalars[rest.startIndex]
        take(scalar)
        rest = Substring(rest.unicodeScalars.dropFirst())
      }
    }
  }

  private mutating func set(_ what: String, _ isSet: Bool) {
    if isSet { leftovers.insert(what) } else { leftovers.remove(what) }
  }

  private mutating func take(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x0E, 0x0F: set("SO", scalar.value == 0x0E)
    case 7...10, 13, 0x18: break
    default: strangers.append("\(scalar.value)")
    }
  }

  private mutating func take(escape between: Substring, _ final: Substring) {
    switch between + final {
    case "=", ">": set("ESC =", final == "=")
    // Saving and restoring the cursor, around the line that names the keys.
    case "D", "E", "M", "7", "8": break
    case "(0", "(B", ")0", ")B": set("ESC \(between)", final == "0")
    default: strangers.append("ESC \(between)\(final)")
    }
  }

  private mutating func take(
    _ prefix: Substring, _ parameters: Substring, _ between: Substring, _ final: Substring
  ) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false)
    switch (prefix, between, final) {
    case ("?", "", "h"), ("?", "", "l"), ("", "", "h"), ("", "", "l"):
      for number in numbers {
        let mode = prefix + number
        set("mode \(mode)", (final == "h") != Self.usuallySet.contains(mode))
        if mode == "?1049" { tookScreen = true }
      }
    case (">", "", "m"): set("CSI > m", numbers.count > 1 && numbers[1] != "0")
    case ("", " ", "q"): set("CSI SP q", !["", "0"].contains(parameters))
    case ("", "", "r"): set("CSI r", parameters != "")
    case ("", "", "m"): set("CSI m", !["", "0"].contains(parameters))
    case ("", "", "J") where parameters == "3": strangers.append("CSI 3 J")
    case ("", "", _) where Self.painting.contains(final.first ?? " "): break
    case ("", "$", "x"): break
    default: strangers.append("CSI \(prefix)\(parameters)\(between)\(final)")
    }
  }
}
