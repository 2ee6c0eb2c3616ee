/// The way in which looks and addresses are drawn.
///
/// Looks are drawn with or without colour. Addresses are drawn as links or as plain text.
public struct Palette: Sendable, Hashable {
  /// The user's choice of when to use colour.
  public enum Choice: String, Sendable, CaseIterable {
    /// Colour is used on a capable terminal, unless the environment forbids it.
    case auto
    case always
    case never
  }

  /// `true` to draw looks in colours and weights.
  public let isColored: Bool
  /// `true` to draw addresses as links (OSC 8).
  public let hasLinks: Bool

  /// A palette that draws text without looks and links.
  public static let none = Palette(isColored: false)

  /// Creates a palette with the given abilities.
  public init(isColored: Bool, hasLinks: Bool = false) {
    self.isColored = isColored
    self.hasLinks = hasLinks
  }

  /// Creates the palette for an output channel.
  ///
  /// - Parameters:
  ///   - choice: The user's choice.
  ///   - isTerminal: `true` if the output is a terminal.
  ///   - environment: The environment, from which `NO_COLOR` (no-color.org), `CLICOLOR_FORCE`
  ///     (bixense.com/clicolors) and `TERM` are read. The first two count only if they are not
  ///     empty.
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

  /// Returns `true` if the terminal obeys control sequences.
  ///
  /// It does if `TERM` is neither empty nor `dumb`.
  public static func obeysSequences(_ environment: [String: String]) -> Bool {
    !["", "dumb"].contains(environment["TERM"] ?? "")
  }

  /// Returns `true` if the terminal is known to support links (OSC 8).
  ///
  /// Other terminals might print the address.
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

  /// Returns the given text, preceded and followed by the control sequences of the given look.
  public func painted(_ text: String, _ look: Look) -> String {
    guard isColored, look != .plain, !text.isEmpty else { return text }
    return "\u{1B}[\(look.attributes)m\(text)\u{1B}[0m"
  }

  /// Returns the text as a link to the given address, if the terminal supports links.
  public func linked(_ text: String, to address: String) -> String {
    guard hasLinks, !address.isEmpty, address.utf8.count <= 2000,
      address.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
    else { return text }
    return "\u{1B}]8;;\(address)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
  }
}
