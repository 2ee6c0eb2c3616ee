/// Whether looks are drawn, and how.
public struct Palette: Sendable, Hashable {
  /// When text is coloured.
  public enum Choice: String, Sendable, CaseIterable {
    /// On a terminal that can, unless the environment says otherwise.
    case auto
    case always
    case never
  }

  /// Whether text is coloured and weighted.
  public let isColored: Bool
  /// Whether addresses become links (OSC 8).
  public let hasLinks: Bool

  /// Draws no looks.
  public static let none = Palette(isColored: false)

  /// Draws looks, or not.
  public init(isColored: Bool, hasLinks: Bool = false) {
    self.isColored = isColored
    self.hasLinks = hasLinks
  }

  /// What a user wants of an output.
  ///
  /// - Parameters:
  ///   - choice: What was asked for.
  ///   - isTerminal: Whether the output is one.
  ///   - environment: `NO_COLOR` and `CLICOLOR_FORCE` count where they are not empty (no-color.org,
  ///     bixense.com/clicolors), and so does a `TERM` of `dumb`.
  public init(_ choice: Choice, isTerminal: Bool, environment: [String: String]) {
    let isSmart = isTerminal && Self.obeysSequences(environment)
    let isForced = !["", "0"].contains(environment["CLICOLOR_FORCE"] ?? "")
    let isForbidden = !(environment["NO_COLOR"] ?? "").isEmpty
    isColored =
      switch choice {
      case .always: true
      case .never: false
      case .auto: !isForbidden && (isForced || isSmart)
      }
    hasLinks = isSmart && isColored && Self.knowsLinks(environment)
  }

  /// Whether a terminal of this environment obeys control sequences: one that is `dumb` does not.
  public static func obeysSequences(_ environment: [String: String]) -> Bool {
    !["", "dumb"].contains(environment["TERM"] ?? "")
  }

  /// Whether the terminal says that it knows OSC 8; one that does not may show the address' bytes.
  private static func knowsLinks(_ environment: [String: String]) -> Bool {
    if let version = environment["VTE_VERSION"].flatMap({ Int($0) }) { return version >= 5000 }
    if ["WezTerm", "iTerm.app", "ghostty", "vscode"].contains(environment["TERM_PROGRAM"] ?? "") {
      return true
    }
    let term = environment["TERM"] ?? ""
    return ["xterm-kitty", "xterm-ghostty", "foot", "alacritty", "contour"].contains {
      term.hasPrefix($0)
    }
  }

  /// The text with its look.
  public func painted(_ text: String, _ look: Look) -> String {
    guard isColored, look != .plain, !text.isEmpty else { return text }
    return "\u{1B}[\(look.attributes)m\(text)\u{1B}[0m"
  }

  /// The text as a link to an address, where the terminal has them.
  public func linked(_ text: String, to address: String) -> String {
    guard hasLinks, !address.isEmpty, address.utf8.count <= 2000,
      address.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
    else { return text }
    return "\u{1B}]8;;\(address)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
  }
}
