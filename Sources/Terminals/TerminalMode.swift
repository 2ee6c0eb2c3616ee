/// A private mode of a terminal (DEC, xterm): `CSI ? NUMBER h` sets it, `CSI ? NUMBER l` resets it.
public struct TerminalMode: Sendable, Hashable {
  /// The number that identifies the mode in control sequences.
  public let number: Int
  /// `true` if the mode is initially set.
  public let isUsuallySet: Bool
  /// `true` if a remote screen that is shown here may set the mode.
  ///
  /// tmux(1) needs such modes to paint, or to receive keys and mouse events.
  public let isForScreens: Bool

  /// The modes that are initially set, or that a remote screen may set.
  ///
  /// The alternate screen is excluded, because the viewer has already switched to it.
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

  /// The modes that are not reset, because their initial values vary or the user chooses them.
  static let unsettled: Set = [
    12, 67, 1007, 1034, 1035, 1036, 1037, 1039, 1040, 1041, 1042, 1043, 1048,
  ]

  /// The modes that select an alternate screen.
  static let alternateScreens: Set = [47, 1047, 1049]

  private static let byNumber = Dictionary(uniqueKeysWithValues: known.map { ($0.number, $0) })

  init(number: Int, isUsuallySet: Bool = false, isForScreens: Bool = false) {
    self.number = number
    self.isUsuallySet = isUsuallySet
    self.isForScreens = isForScreens
  }

  /// Returns the mode with the given number, even if it is not in ``known``.
  public init(_ number: Int) {
    self = Self.byNumber[number] ?? TerminalMode(number: number)
  }
}
