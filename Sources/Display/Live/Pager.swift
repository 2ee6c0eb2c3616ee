/// Lines of which a screen shows a part, and the keys that move it.
public struct Pager: Sendable {
  private var lines: [String]
  /// So many of the first lines stay on the screen.
  private var headings = 0
  private var first = 0
  private var rows = 1

  /// Shows the beginning of some lines.
  public init(_ lines: [String] = []) { self.lines = lines }

  /// Takes the lines as they are now; the part that is shown stays the same.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - headings: How many of the first stay where they are.
  public mutating func update(_ lines: [String], headings: Int = 0) {
    self.lines = lines
    self.headings = min(headings, lines.count)
  }

  /// Takes a key that moves.
  ///
  /// - Returns: Whether it is one.
  public mutating func press(_ key: Key) -> Bool {
    guard let move = key.move(page: rows, all: lines.count) else { return false }
    first += move
    bound()
    return true
  }

  /// The lines that so many rows show; the last row tells which these are, where they are not all.
  public mutating func shown(_ rows: Int, _ text: RecordText) -> [String] {
    guard lines.count > rows, rows > headings + 1 else { return Array(lines.prefix(rows)) }
    let shown = part(rows - 1)
    let words = "\(place)  j and k move, q ends"
    return shown + [text.palette.painted(Cells.cut(words, to: text.width ?? 80), .faint)]
  }

  /// The lines that so many rows show.
  public mutating func part(_ rows: Int) -> [String] {
    self.rows = max(1, rows - headings)
    bound()
    return Array(lines.prefix(headings)) + lines.dropFirst(headings + first).prefix(self.rows)
  }

  /// Which of the lines are shown.
  public var place: String {
    let count = lines.count - headings
    return "\(min(count, first + 1))-\(min(count, first + rows)) of \(count)"
  }

  /// Whether all lines are shown.
  public var isWhole: Bool { lines.count - headings <= rows }

  private mutating func bound() {
    first = max(0, min(first, lines.count - headings - rows))
  }
}

extension Key {
  /// How many rows on a key moves; nil for one that does not.
  ///
  /// - Parameters:
  ///   - rows: The rows that a page has.
  ///   - count: The rows that there are.
  /// - Returns: The rows, below 0 for upward.
  func move(page rows: Int, all count: Int) -> Int? {
    switch self {
    case .up, .character("k"): -1
    case .down, .character("j"): 1
    case .pageUp, .control("b"): -rows
    case .pageDown, .control("f"), .character(" "): rows
    case .home, .character("g"): -count
    case .end, .character("G"): count
    default: nil
    }
  }
}
