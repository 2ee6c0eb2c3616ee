/// A private mode of a terminal, which `CSI ? NUMBER h` sets and `CSI ? NUMBER l` resets (DEC, xterm).
public struct TerminalMode: Sendable, Hashable {
  /// What it is set and reset by.
  public let number: Int
  /// How terminals come up.
  public let isUsuallySet: Bool
  /// Whether a screen of another machine that is shown here may set it: what tmux(1) needs to paint,
  /// and to be told of keys and of the mouse.
  public let isForScreens: Bool

  /// Those that are not as most are, which come up reset and are of no use to a screen.
  ///
  /// The alternate screen is none of a shown screen's: whoever shows it has taken that already.
  public static let known: [TerminalMode] = [
    TerminalMode(number: 1, isForScreens: true),  // keys of the cursor, for applications
    TerminalMode(number: 7, isUsuallySet: true),  // lines wrap
    TerminalMode(number: 8, isUsuallySet: true),  // keys repeat
    TerminalMode(number: 25, isUsuallySet: true, isForScreens: true),  // the cursor is seen
    TerminalMode(number: 69, isForScreens: true),  // margins
    TerminalMode(number: 1000, isForScreens: true),  // the mouse: its buttons
    TerminalMode(number: 1002, isForScreens: true),  // and being dragged
    TerminalMode(number: 1003, isForScreens: true),  // and being moved
    TerminalMode(number: 1004, isForScreens: true),  // the focus
    TerminalMode(number: 1005, isForScreens: true),  // how the mouse is told of
    TerminalMode(number: 1006, isForScreens: true),  // another way to
    TerminalMode(number: 2004, isForScreens: true),  // pasted text is told apart
    TerminalMode(number: 2026, isForScreens: true),  // updates at once
  ]

  /// Of these terminals do not agree how they come up, or a user chooses it: they are left alone.
  static let unsettled: Set = [
    12, 67, 1007, 1034, 1035, 1036, 1037, 1039, 1040, 1041, 1042, 1043, 1048,
  ]

  /// Screens beside the usual one.
  static let alternateScreens: Set = [47, 1047, 1049]

  private static let byNumber = Dictionary(uniqueKeysWithValues: known.map { ($0.number, $0) })

  init(number: Int, isUsuallySet: Bool = false, isForScreens: Bool = false) {
    self.number = number
    self.isUsuallySet = isUsuallySet
    self.isForScreens = isForScreens
  }

  /// The mode of a number, also where it is none of ``known``.
  public init(_ number: Int) {
    self = Self.byNumber[number] ?? TerminalMode(number: number)
  }
}
