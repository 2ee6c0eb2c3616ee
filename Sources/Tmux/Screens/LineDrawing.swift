/// The characters that terminals use for line drawing (terminfo(5), acsc).
enum LineDrawing {
  /// Returns the line drawing character that the given letter stands for.
  static func character(_ letter: Unicode.Scalar) -> Unicode.Scalar {
    characters[letter] ?? letter
  }

  private static let characters: [Unicode.Scalar: Unicode.Scalar] = [
    "+": "→", ",": "←", "-": "↑", ".": "↓", "0": "▮", "`": "◆", "a": "▒", "b": "␉", "c": "␌",
    "d": "␍", "e": "␊", "f": "°", "g": "±", "h": "␤", "i": "␋", "j": "┘", "k": "┐", "l": "┌",
    "m": "└", "n": "┼", "o": "⎺", "p": "⎻", "q": "─", "r": "⎼", "s": "⎽", "t": "├", "u": "┤",
    "v": "┴", "w": "┬", "x": "│", "y": "≤", "z": "≥", "{": "π", "|": "≠", "}": "£", "~": "·",
  ]
}
