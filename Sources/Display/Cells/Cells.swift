import Terminals

/// The width of text on a terminal, measured in cells.
///
/// Joined characters have the width that terminals with emoji support draw. Control characters have
/// no width, so the caller must make them visible first (`Visible`).
public enum Cells {
  /// The character that marks the place where a text was cut.
  public static let ellipsis: Character = "…"

  /// Returns the width of the given line of text, in cells.
  public static func width(_ text: some StringProtocol) -> Int {
    if isPlain(text) { return text.utf8.count }
    return text.reduce(0) { $0 + width($1) }
  }

  /// Returns the width of the given character and its combining marks: 0, 1 or 2 cells.
  public static func width(_ character: Character) -> Int {
    if let byte = character.asciiValue { return byte < 0x20 || byte == 0x7F ? 0 : 1 }
    var width = 0
    var isJoined = false
    for scalar in character.unicodeScalars {
      // An emoji in picture presentation, or a flag of two letters, has two cells.
      if scalar.value == 0xFE0F, width == 1 { return 2 }
      isJoined = isJoined || scalar.value == 0x200D
      let own = self.width(scalar)
      // A joined character is drawn as a part of the first.
      width = isJoined ? max(width, own) : width + own
      if width >= 2 { return 2 }
    }
    return width
  }

  /// Returns the longest prefix of the given text that fits in `width` cells.
  public static func prefix(_ text: String, _ width: Int) -> Substring {
    if isPlain(text) { return text.prefix(max(0, width)) }
    var room = width
    var end = text.startIndex
    for index in text.indices {
      room -= self.width(text[index])
      if room < 0 { break }
      end = text.index(after: index)
    }
    return text[..<end]
  }

  /// Returns the given text, cut to at most `width` cells.
  ///
  /// A text that was cut ends with `…`. With `keepingEnd`, its end is kept, and it begins with `…`.
  public static func cut(_ text: String, to width: Int, keepingEnd: Bool = false) -> String {
    guard self.width(text) > width else { return text }
    guard width > 0 else { return "" }
    if keepingEnd {
      let backward = String(prefix(String(text.reversed()), width - 1))
      return String(ellipsis) + String(backward.reversed())
    }
    var start = prefix(text, width - 1)
    while start.last == " " { start.removeLast() }
    return start + String(ellipsis)
  }

  /// Returns the given text, padded with spaces to `width` cells.
  public static func padded(_ text: String, to width: Int, onLeft: Bool = false) -> String {
    let room = width - self.width(text)
    guard room > 0 else { return text }
    let spaces = String(repeating: " ", count: room)
    return onLeft ? spaces + text : text + spaces
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    CharacterWidth.columns(of: scalar) ?? 0
  }

  private static func isPlain(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
  }
}
