import Terminals

/// The first lines of a growing text that remain on the terminal.
///
/// They remain because they scrolled off the screen, or because other output followed them.
struct StandingLines: Sendable {
  private var lines: [String] = []
  /// The width to which the lines were wrapped.
  private var width: Int?
  /// `true` if more text may have been added to the last line since it was drawn.
  private var isLastLoose = false

  var isEmpty: Bool { lines.isEmpty }

  /// Adds the given complete lines.
  mutating func add(_ more: some Collection<String>) {
    guard !more.isEmpty else { return }
    lines += more
    isLastLoose = false
  }

  /// Adds the given lines.
  ///
  /// More text may later be added to the last of them.
  mutating func leave(_ more: [String]) {
    lines += more
    isLastLoose = true
  }

  /// Returns the lines of the given whole text that are not on the terminal yet.
  mutating func left(of whole: [String], width: Int?) -> [String] {
    let isSame = self.width == width
    self.width = width
    guard !lines.isEmpty else { return whole }
    let last = lines.count - 1
    if isLastLoose, !whole.indices.contains(last) || whole[last] != lines[last] {
      lines.removeLast()
      isLastLoose = false
    }
    guard !isSame else { return Array(whole.dropFirst(lines.count)) }
    // At another width, the same words take another number of lines, and no word may be lost.
    var signs = lines.reduce(0) { $0 + Self.signs($1) }
    let covered = whole.prefix { line in
      signs -= Self.signs(line)
      return signs >= 0
    }
    lines = Array(covered)
    return Array(whole.dropFirst(covered.count))
  }

  /// Returns the number of visible characters in the given line.
  private static func signs(_ line: String) -> Int {
    EscapeSequences.removed(from: line).count { !$0.isWhitespace }
  }
}
