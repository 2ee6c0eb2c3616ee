/// A text of which only some lines are visible, with keys that scroll it.
public struct Pager: Sendable {
  private var lines: [String]
  /// The number of lines at the top that do not scroll.
  private var headings = 0
  private var first = 0
  private var rows = 1

  /// Creates a pager that shows the beginning of the given lines.
  public init(_ lines: [String] = []) { self.lines = lines }

  /// Replaces the lines, but keeps the scroll position.
  ///
  /// - Parameters:
  ///   - lines: The new lines.
  ///   - headings: The number of lines at the top that do not scroll.
  public mutating func update(_ lines: [String], headings: Int = 0) {
    self.lines = lines
    self.headings = min(headings, lines.count)
  }

  /// Scrolls the text if the given key is one that scrolls.
  ///
  /// - Returns: `true` if the key scrolls.
  public mutating func press(_ key: Key) -> Bool {
    guard let move = key.move(page: rows, all: lines.count) else { return false }
    first += move
    bound()
    return true
  }

  /// Returns the visible lines.
  ///
  /// If some lines are not visible, the last row shows the position.
  public mutating func shown(_ rows: Int, _ text: RecordText) -> [String] {
    guard lines.count > rows, rows > headings + 1 else { return Array(lines.prefix(rows)) }
    let shown = part(rows - 1)
    let words = "\(place)  j and k move, q ends"
    return shown + [text.palette.painted(Cells.cut(words, to: text.width ?? 80), .faint)]
  }

  /// Returns the visible lines for a screen with the given number of rows.
  public mutating func part(_ rows: Int) -> [String] {
    self.rows = max(1, rows - headings)
    bound()
    return Array(lines.prefix(headings)) + lines.dropFirst(headings + first).prefix(self.rows)
  }

  /// The position in words: the range of visible lines.
  public var place: String {
    let count = lines.count - headings
    return "\(min(count, first + 1))-\(min(count, first + rows)) of \(count)"
  }

  /// `true` if all lines are visible.
  public var isWhole: Bool { lines.count - headings <= rows }

  private mutating func bound() {
    first = max(0, min(first, lines.count - headings - rows))
  }
}

extension Key {
  /// Returns the number of rows by which this key scrolls; nil if it does not scroll.
  ///
  /// - Parameters:
  ///   - rows: The number of rows of a page.
  ///   - count: The total number of rows.
  /// - Returns: The number of rows. It is negative for a key that scrolls up.
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
