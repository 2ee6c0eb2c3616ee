import Terminals

/// The first lines of a growing text that stay on the terminal: they scrolled off, or other output
/// follows.
struct StandingLines: Sendable {
  private var lines: [String] = []
  /// The width for which they were wrapped.
  private var width: Int?
  /// `true` if the last line may have grown since.
  private var isLastLoose = false

  var isEmpty: Bool { lines.isEmpty }

  /// Adds complete lines.
  mutating func add(_ more: some Collection<String>) {
    guard !more.isEmpty else { return }
    lines += more
    isLastLoose = false
  }

  /// Adds all current lines, of which the last may grow.
  mutating func leave(_ more: [String]) {
    lines += more
    isLastLoose = true
  }

  /// Returns the lines of the whole text that are not on the terminal yet.
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
    // Rewrapped, the same words take another number of lines, and none may be lost.
    var signs = lines.reduce(0) { $0 + Self.signs($1) }
    let covered = whole.prefix { line in
      signs -= Self.signs(line)
      return signs >= 0
    }
    lines = Array(covered)
    return Array(whole.dropFirst(covered.count))
  }

  /// Returns the number of visible characters in a line.
  private static func signs(_ line: String) -> Int {
    EscapeSequences.removed(from: line).count { !$0.isWhitespace }
  }
}
