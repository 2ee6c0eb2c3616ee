import Core

/// Drawing of answers from several models.
extension ChatView {
  /// The cells between two columns.
  private static let gap = 3
  /// The minimum number of cells of a column.
  private static let leastColumn = 34

  /// Draws the current state of the answers.
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

  /// Shows the answers that have ended, one below the other, and a line for each unfinished answer.
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

  /// Returns a line for each answer that is not shown.
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

  /// Writes lines over the drawn ones, from the first that changed.
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

  /// Returns the answers that are not shown, side by side; a long answer shows its end.
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

  /// Returns the column of an answer so far.
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

  /// Pads lines to a width, which is measured without escape sequences.
  private func padded(_ lines: [String], _ plain: [String], _ width: Int) -> [String] {
    zip(lines, plain).map { line, words in
      line + String(repeating: " ", count: max(0, width - Cells.width(words)))
    }
  }

  /// Returns an answer below its model's name.
  private func block(_ message: Message, _ text: RecordText) -> [String] {
    let name = text.palette.painted(
      Cells.cut(Visible.line(message.model ?? ""), to: text.width ?? .max), .heading)
    let foot = footer(message, text).split(separator: "\n").map(String.init)
    let words = lines(message.text, text)
    return [name, ""] + words + (words.isEmpty || foot.isEmpty ? [] : [""]) + foot
  }
}
