/// The emphasis marks in a line, paired by the rules of CommonMark (section 6.2).
///
/// There is one exception. A mark beside punctuation may both open and close emphasis, because
/// scripts without spaces need that.
struct MarkdownDelimiters {
  /// A sequence of equal emphasis marks.
  struct Run {
    let mark: UInt8
    let count: Int
    /// `true` if emphasis may begin with this run (`opens`) or end with it (`closes`).
    let opens: Bool
    let closes: Bool
    /// `true` if the run is a mark, not text, even if its counterpart is on another line.
    let isMarkup: Bool

    fileprivate var piece = 0
    /// The number of the run's marks that are not paired yet.
    fileprivate var left: Int
    /// The number of emphases that end with the run, and the emphases that begin with it.
    ///
    /// The emphases are in the order of pairing.
    fileprivate var ends = 0
    fileprivate var begins: [MarkdownEmphasis] = []

    /// Reads the run that begins at `index`.
    init(_ line: ArraySlice<UInt8>, at index: Int) {
      mark = line[index]
      count = line.run(of: mark, at: index)
      left = count
      let before = scalar(before: index, in: line)
      let after = scalar(from: index + count, in: line)
      let canMark = mark == UInt8(ascii: "~") ? count == 2 : count <= MarkdownDelimiters.longest
      let isScore = mark == UInt8(ascii: "_")
      opens = canMark && !after.properties.isWhitespace && !(isScore && before.isWord)
      closes = canMark && !before.properties.isWhitespace && !(isScore && after.isWord)
      isMarkup = count <= 3 && (isScore ? before.isWord != after.isWord : opens || closes)
    }

    /// Returns `true` if emphasis may begin with the given run and end with this one.
    fileprivate func matches(_ opener: Run) -> Bool {
      guard opener.mark == mark else { return false }
      let isEither = opener.closes || opens
      return !isEither || (opener.count + count) % 3 != 0 || count % 3 == 0
    }
  }

  /// The maximum nesting of emphasis, and the maximum length of a run.
  ///
  /// Marks beyond these are text.
  private static let deepest = 32
  fileprivate static let longest = 12

  private var runs: [Run] = []
  /// The indices of the runs that may still be paired with a later run.
  private var open: [Int] = []
  /// The number of open runs at the start of each open link.
  private var floors: [Int] = []

  /// Begins a link.
  ///
  /// Emphasis that began before the link cannot end inside it.
  mutating func enter() { floors.append(open.count) }

  /// Ends the innermost link, and all emphasis that began inside it.
  mutating func leave() {
    let floor = floors.popLast() ?? 0
    open.removeLast(open.count - floor)
  }

  /// Adds the given run, and pairs it with earlier runs.
  ///
  /// `piece` is the run's index in the list of pieces.
  mutating func add(_ run: Run, at piece: Int) {
    var run = run
    run.piece = piece
    var at = run.closes ? open.count - 1 : -1
    while run.left > 0, at >= max(floors.last ?? 0, open.count - Self.deepest) {
      guard run.matches(runs[open[at]]) else {
        at -= 1
        continue
      }
      open.removeLast(open.count - 1 - at)
      let count = min(2, run.left, runs[open[at]].left)
      let isStruck = run.mark == UInt8(ascii: "~")
      runs[open[at]].begins.append(isStruck ? .struck : count == 2 ? .strong : .slanted)
      runs[open[at]].left -= count
      run.ends += 1
      run.left -= count
      if runs[open[at]].left == 0 { open.removeLast() }
      at = open.count - 1
    }
    if run.left > 0, run.opens { open.append(runs.count) }
    runs.append(run)
  }

  /// Returns the given pieces, with each paired run replaced by the emphasis that it marks.
  func applied(to pieces: [MarkdownPiece]) -> [MarkdownPiece] {
    guard !runs.isEmpty else { return pieces }
    var result: [MarkdownPiece] = []
    var done = 0
    for run in runs {
      result += pieces[done..<run.piece]
      result += (0..<run.ends).map { _ in .endOfEmphasis }
      if run.left > 0, case .text(let text) = pieces[run.piece] {
        result.append(.text(text.prefix(run.left)))
      }
      result += run.begins.reversed().map { .emphasis($0) }
      done = run.piece + 1
    }
    return result + pieces[done...]
  }
}

extension MarkdownInline {
  /// Returns `true` if the given range is inside a word.
  ///
  /// An underscore there is not a mark.
  package static func isWithinWord(_ range: Range<Int>, of line: ArraySlice<UInt8>) -> Bool {
    scalar(before: range.lowerBound, in: line).isWord
      && scalar(from: range.upperBound, in: line).isWord
  }
}

/// Returns the scalar that ends at `index`; a space if `index` is the start of the line.
private func scalar(before index: Int, in line: ArraySlice<UInt8>) -> Unicode.Scalar {
  let end = line[..<index].suffix(4)
  let start = end.lastIndex { $0 & 0xC0 != 0x80 } ?? end.startIndex
  return String(decoding: end[start...], as: UTF8.self).unicodeScalars.first ?? " "
}

/// Returns the scalar that begins at `index`; a space if `index` is the end of the line.
private func scalar(from index: Int, in line: ArraySlice<UInt8>) -> Unicode.Scalar {
  String(decoding: line[index...].prefix(4), as: UTF8.self).unicodeScalars.first ?? " "
}

extension Unicode.Scalar {
  /// `true` if the scalar is a letter, a digit or a combining mark.
  fileprivate var isWord: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark:
      true
    default: false
    }
  }
}
