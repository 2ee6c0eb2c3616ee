import Core

/// The drawing of several answers at the same time.
extension ChatView {
  /// The number of cells between two columns.
  private static let gap = 3
  /// The minimum number of cells of a column.
  private static let leastColumn = 34

  /// Returns the output that shows the current state of the answers.
  mutating func drawSeveral(_ text: RecordText, rows: Int) -> String {
    let waiting = answers.filter { !$0.isShown }
    let width = ((text.width ?? 0) + Self.gap) / max(1, answers.count) - Self.gap
    guard canMove, width >= Self.leastColumn else { return drawEnded(text) }
    // Before the first word there is nothing to draw in columns.
    guard waiting.contains(where: { $0.words > 0 || $0.message != nil }) else {
      return overChanged(states(text), text)
    }
    let isOver = waiting.allSatisfy { $0.message != nil }
    return overChanged(columns(width, text, rows: isOver ? .max : max(4, rows - 2)), text)
  }

  /// Returns the output that shows the ended answers, one below the other.
  ///
  /// Each answer that has not ended has one line of status.
  private mutating func drawEnded(_ text: RecordText) -> String {
    var shown: [String] = []
    for place in answers.indices where !answers[place].isShown {
      guard let message = answers[place].message else { continue }
      answers[place].isShown = true
      shown += block(message, text)
      if answers.contains(where: { !$0.isShown }) { shown.append("") }
    }
    let states = canMove ? states(text) : []
    defer { (drawn, drawnWidth) = (states, text.width) }
    guard !shown.isEmpty else { return overChanged(states, text) }
    return over((shown + states).map { $0 + "\n" }.joined(), text)
  }

  /// Returns a status line for each answer that is not completely on the terminal yet.
  private func states(_ text: RecordText) -> [String] {
    answers.filter { !$0.isShown }.map { answer in
      Cells.cut("\(Visible.line(answer.model))  \(Self.state(answer))", to: text.width ?? .max)
    }
  }

  private static func state(_ answer: Answer) -> String {
    if let message = answer.message { return message.complete == true ? "done" : "failed" }
    guard answer.words > 0 else { return answer.isThinking ? "thinking …" : "waiting …" }
    return "\(answer.words) words …"
  }

  /// Returns the output that replaces the drawn lines from the first changed line on.
  private mutating func overChanged(_ lines: [String], _ text: RecordText) -> String {
    let isSameWidth = text.width == drawnWidth
    let same = isSameWidth ? zip(drawn, lines).prefix { $0 == $1 }.count : 0
    defer { (drawn, drawnWidth) = (lines, text.width) }
    let (old, new) = (Array(drawn.dropFirst(same)), lines.dropFirst(same))
    guard !old.isEmpty || !new.isEmpty else { return "" }
    let start = old.isEmpty ? "" : text.above(old)
    return start + new.map { (old.isEmpty ? "" : "\u{1B}[K") + $0 + "\n" }.joined()
      + (old.isEmpty ? "" : "\u{1B}[J")
  }

  // MARK: Side by side

  /// Returns the unfinished answers side by side.
  ///
  /// Of a long answer, only the end is shown.
  private mutating func columns(_ width: Int, _ text: RecordText, rows: Int) -> [String] {
    let blocks = answers.indices.filter { !answers[$0].isShown }.map { place in
      let block = column(place, width, text)
      guard block.count > rows else { return block }
      return [block[0], padded(["…"], ["…"], width)[0]] + block.suffix(rows - 2)
    }
    let empty = String(repeating: " ", count: width)
    let between = String(repeating: " ", count: Self.gap)
    return (0..<(blocks.map(\.count).max() ?? 0)).map { row in
      blocks.map { row < $0.count ? $0[row] : empty }.joined(separator: between)
    }
  }

  /// Returns the rows of the answer at index `place`.
  private mutating func column(_ place: Int, _ width: Int, _ text: RecordText) -> [String] {
    var (narrow, plain) = (text, text)
    (narrow.width, plain.width, plain.palette) = (width, width, .none)
    if let message = answers[place].message {
      return padded(block(message, narrow), block(message, plain), width)
    }
    let answer = answers[place]
    let head = [answer.model, answer.words > 0 ? "" : Self.state(answer)].map {
      Cells.cut(Visible.line($0), to: width)
    }
    var looks = head
    looks[0] = text.palette.painted(head[0], .heading)
    var column = answer.column
    let rows = column.rows(of: answer.text, width: width) { markdown in
      padded(lines(markdown, narrow), lines(markdown, plain), width)
    }
    answers[place].column = column
    return padded(looks, head, width) + rows
  }

  /// Pads the given lines with spaces to the given width.
  ///
  /// `plain` contains the same lines without escape sequences, from which widths are measured.
  private func padded(_ lines: [String], _ plain: [String], _ width: Int) -> [String] {
    zip(lines, plain).map { line, words in
      line + String(repeating: " ", count: max(0, width - Cells.width(words)))
    }
  }

  /// Returns the given answer, below a line with its model's name.
  private func block(_ message: Message, _ text: RecordText) -> [String] {
    let name = text.palette.painted(
      Cells.cut(Visible.line(message.model ?? ""), to: text.width ?? .max), .heading)
    let foot = footer(message, text).split(separator: "\n").map(String.init)
    let words = lines(message.text, text)
    return [name, ""] + words + (words.isEmpty || foot.isEmpty ? [] : [""]) + foot
  }
}
