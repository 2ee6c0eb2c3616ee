import Terminals

/// The first lines of a text that grows, which stand on a terminal for good: they no longer fit, or
/// something else was shown below them.
struct StandingLines: Sendable {
  private var lines: [String] = []
  /// The width that they were wrapped for.
  private var width: Int?
  /// Whether the last of them was the last one of all, which may have grown since.
  private var isLastLoose = false

  var isEmpty: Bool { lines.isEmpty }

  /// Adds lines that others followed.
  mutating func add(_ more: some Collection<String>) {
    guard !more.isEmpty else { return }
    lines += more
    isLastLoose = false
  }

  /// Adds all lines that there are.
  mutating func leave(_ more: [String]) {
    lines += more
    isLastLoose = true
  }

  /// The lines of the whole text that do not stand there yet.
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
    // Wrapped anew, the same words take another number of lines; none may be lost.
    var signs = lines.reduce(0) { $0 + Self.signs($1) }
    let covered = whole.prefix { line in
      signs -= Self.signs(line)
      return signs >= 0
    }
    lines = Array(covered)
    return Array(whole.dropFirst(covered.count))
  }

  /// How many characters of a line are seen.
  private static func signs(_ line: String) -> Int {
    EscapeSequences.removed(from: line).count { !$0.isWhitespace }
  }
}
