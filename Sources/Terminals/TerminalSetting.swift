/// A setting of a terminal that output can change, with the sequence that resets it.
enum TerminalSetting: Hashable, Sendable {
  /// A mode of ECMA-48 with the given number.
  ///
  /// For example, `CSI 4 h` sets mode 4.
  case mode(Int)
  /// A private mode with the given number.
  ///
  /// For example, `CSI ? 5 h` sets mode 5.
  case privateMode(Int)
  /// The character attributes (SGR).
  case look
  /// The protection of characters against erasure (DECSCA).
  case protection
  /// A character set that was replaced.
  ///
  /// It is identified by the byte that names it: `ESC ( 0` changes set `(`.
  case characters(UInt8)
  /// The character set in use.
  ///
  /// `SO` selects the second one.
  case shift
  /// The character encoding.
  ///
  /// `ESC % @` selects one other than UTF-8.
  case encoding
  /// The keypad's application mode.
  ///
  /// `ESC =` sets it.
  case keypad
  case scrollRegion
  case cursorStyle
  /// xterm's format for reporting keys, by the number of its resource.
  ///
  /// For example, `CSI > 4 ; 2 m` sets resource 4.
  case keyFormat(Int)
  /// kitty's flags for reporting keys.
  ///
  /// For example, `CSI = 1 u` sets flag 1.
  case keyFlags
  /// The number of kitty's flags that were pushed on the main or the alternate screen.
  ///
  /// `CSI > 1 u` pushes.
  case pushedKeyFlags(isAlternate: Bool, count: Int)
  /// A default colour, by the number of the OSC that sets it.
  ///
  /// For example, `OSC 11` sets the background.
  case colour(Int)
  /// The shape of the mouse pointer.
  ///
  /// `OSC 22` sets it.
  case pointer
  /// The hyperlink of the following text.
  ///
  /// `OSC 8` sets it.
  case link

  /// The position of the setting in the order of resetting.
  ///
  /// A screen's settings are reset before the screen is left. The cursor is reset last.
  var rank: Int {
    switch self {
    case .pushedKeyFlags(isAlternate: true, _): 0
    case .privateMode(25): 9
    case .privateMode(6): 3
    case .scrollRegion: 4
    case .privateMode(let number) where TerminalMode.alternateScreens.contains(number): 5
    case .pushedKeyFlags(isAlternate: false, _): 6
    default: 1
    }
  }

  /// The sequence that resets the setting.
  var restoring: String {
    switch self {
    // Mode 12 is set initially (no local echo), so setting it resets it.
    case .mode(let number): "\u{1B}[\(number)\(number == 12 ? "h" : "l")"
    case .privateMode(let number):
      "\u{1B}[?\(number)\(TerminalMode(number).isUsuallySet ? "h" : "l")"
    case .look: "\u{1B}[m"
    case .protection: "\u{1B}[0\"q"
    case .characters(let set): "\u{1B}\(Character(Unicode.Scalar(set)))B"
    case .shift: "\u{F}"
    case .encoding: "\u{1B}%G"
    case .keypad: "\u{1B}>"
    case .scrollRegion: "\u{1B}[r"
    case .cursorStyle: "\u{1B}[0 q"
    case .keyFormat(let resource): "\u{1B}[>\(resource)m"
    case .keyFlags: "\u{1B}[=0u"
    case .pushedKeyFlags(_, let count): "\u{1B}[<\(count)u"
    case .colour(let number): "\u{1B}]\(number + 100)\u{1B}\\"
    case .pointer: "\u{1B}]22;\u{1B}\\"
    case .link: "\u{1B}]8;;\u{1B}\\"
    }
  }

  /// Returns the sequences that reset the given settings.
  static func restoring(_ settings: Set<TerminalSetting>) -> String {
    let countsFromRegion = settings.contains(.privateMode(6))
    // The other screen has its own cursor.
    let isLeft = !TerminalMode.alternateScreens.allSatisfy { !settings.contains(.privateMode($0)) }
    var text = ""
    for setting in settings.sorted(by: { ($0.rank, $0.restoring) < ($1.rank, $1.restoring) }) {
      // Resetting the region moves the cursor to the corner, so the cursor is saved and restored.
      let keepsCursor = setting == .scrollRegion && !isLeft && !countsFromRegion
      text += keepsCursor ? "\u{1B}7" + setting.restoring + "\u{1B}8" : setting.restoring
    }
    // Saving the cursor would also save the origin mode, so the cursor moves to the last line.
    return text + (countsFromRegion && !isLeft ? "\u{1B}[9999;1H" : "")
  }
}
