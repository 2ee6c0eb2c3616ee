public import Core

/// A view that draws answers on a terminal, as Markdown, while they arrive.
///
/// Several answers are shown side by side. If there is no room for columns, each answer is shown
/// when it has ended, and has one status line until then.
public struct ChatView: Sendable {
  /// The state of an answer of which a part is not yet on the terminal.
  struct Answer: Sendable {
    var id: String
    var model: String
    var text = ""
    /// The number of words that were received.
    var words = 0
    /// `true` if the received text ends within a word.
    private var isInWord = false
    var isThinking = false
    var message: Message?
    /// `true` once the whole answer is on the terminal and will not be redrawn.
    var isShown = false
    /// The column in which the answer is drawn.
    var column = AnswerColumn()

    init(id: String, model: String) { (self.id, self.model) = (id, model) }

    mutating func add(_ piece: String) {
      text += piece
      for character in piece {
        if !isInWord, !character.isWhitespace { words += 1 }
        isInWord = !character.isWhitespace
      }
    }

    mutating func restart() {
      (text, words, isInWord) = ("", 0, false)
      column = AnswerColumn()
    }
  }

  var answers: [Answer] = []
  /// The number of bytes of a single answer that are on the terminal and will not be redrawn.
  private var settled = 0
  /// The lines, from the rest of the text, that are already on the terminal.
  private var standing = StandingLines()
  /// The drawn lines that may still be overwritten.
  var drawn: [String] = []
  /// The width that the terminal had when `drawn` was drawn.
  var drawnWidth: Int?
  let canMove: Bool

  /// Creates an empty view.
  ///
  /// - Parameter canMove: `true` if lines on the terminal can be overwritten.
  public init(canMove: Bool) {
    self.canMove = canMove
  }

  /// Returns `true` if pieces of the given message were shown.
  ///
  /// Pieces without a message id count for the next message that ends.
  public func knows(_ message: Message) -> Bool {
    answers.contains { $0.id == message.id || $0.id.isEmpty }
  }

  /// Returns the output that shows a piece of an answer.
  ///
  /// - Parameters:
  ///   - delta: The piece.
  ///   - text: The renderer of records.
  ///   - rows: The number of rows of the terminal.
  /// - Returns: The output for the terminal.
  public mutating func show(_ delta: Delta, _ text: RecordText, rows: Int) -> String {
    let id = delta.messageId ?? ""
    if delta.restart == true { return restart(id, text) }
    let place = answers.firstIndex { $0.id == id } ?? answers.count
    if place == answers.count {
      answers.append(Answer(id: id, model: delta.model))
    }
    answers[place].model = delta.model
    answers[place].isThinking = delta.reasoning != nil
    answers[place].add(delta.text)
    return draw(text, rows: rows)
  }

  /// Returns the output that shows the end of an answer.
  public mutating func show(_ message: Message, _ text: RecordText, rows: Int) -> String {
    guard let place = answers.firstIndex(where: { $0.id == message.id || $0.id.isEmpty })
    else { return "" }
    answers[place].message = message
    let isLast = answers.allSatisfy { $0.message != nil }
    defer { if isLast { self = ChatView(canMove: canMove) } }
    guard answers.count == 1 else { return drawSeveral(text, rows: rows) }
    return ended(message, text)
  }

  /// Leaves the drawn lines on the terminal.
  ///
  /// Later lines are drawn below them.
  public mutating func release() {
    // Lines drawn before the first word are not part of the answer.
    if answers.count == 1, !answers[0].text.isEmpty, !drawn.isEmpty {
      standing.leave(drawn)
    }
    drawn = []
  }

  /// Makes room for other output.
  ///
  /// A single answer stays on the terminal. Several answers are erased.
  ///
  /// - Returns: The output for the terminal.
  public mutating func standAside(_ text: RecordText) -> String {
    defer { release() }
    return answers.count > 1 ? over("", text) : ""
  }

  /// Returns the output to write after answers that were never completed.
  public mutating func end() -> String {
    defer { self = ChatView(canMove: canMove) }
    return !drawn.isEmpty && answers.count == 1 ? "\n" : ""
  }

  /// Returns the output that replaces the drawn lines (CUU, EL and ED of ECMA-48).
  ///
  /// Each row is erased separately, because some terminals move a screen that is erased from the
  /// top to their scrollback.
  func over(_ lines: String, _ text: RecordText) -> String {
    guard !drawn.isEmpty else { return lines }
    let rewritten = lines.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map { "\u{1B}[K\($0)\n" }
    return text.above(drawn) + rewritten.joined() + "\u{1B}[J"
  }

  private mutating func restart(_ id: String, _ text: RecordText) -> String {
    guard let place = answers.firstIndex(where: { $0.id == id }) else { return "" }
    answers[place].restart()
    guard answers.count == 1 else { return "" }
    let note = settled > 0 || !standing.isEmpty ? text.line("… the answer starts again") : ""
    defer { (settled, standing, drawn) = (0, StandingLines(), []) }
    return over(note, text)
  }

  private mutating func draw(_ text: RecordText, rows: Int) -> String {
    answers.count == 1 ? drawOne(text, rows: rows) : drawSeveral(text, rows: rows)
  }

  // MARK: One answer

  private mutating func drawOne(_ text: RecordText, rows: Int) -> String {
    let whole = answers[0].text
    let rest = String(decoding: whole.utf8.dropFirst(settled), as: UTF8.self)
    let end = MarkdownText.endOfSettled(rest)
    var shown = ""
    if end > 0 {
      let done = String(decoding: rest.utf8.prefix(end), as: UTF8.self)
      let left = standing.left(of: lines(done, text), width: text.width)
      shown += left.map { $0 + "\n" }.joined() + gapAfter(done)
      settled += end
      standing = StandingLines()
    }
    guard canMove else { return shown }
    let pending = String(decoding: rest.utf8.dropFirst(end), as: UTF8.self)
    var left = standing.left(of: lines(pending, text), width: text.width)
    if whole.isEmpty, answers[0].isThinking { left = [text.palette.painted("thinking …", .faint)] }
    // Lines that scroll off the screen cannot be overwritten.
    let overflow = max(0, left.count - max(1, rows - 2))
    standing.add(left.prefix(overflow))
    defer { drawn = Array(left.dropFirst(overflow)) }
    return over(shown + left.map { $0 + "\n" }.joined(), text)
  }

  private mutating func ended(_ message: Message, _ text: RecordText) -> String {
    let rest = String(decoding: answers[0].text.utf8.dropFirst(settled), as: UTF8.self)
    let left = standing.left(of: lines(rest, text), width: text.width)
      .map { $0 + "\n" }.joined()
    let foot = footer(message, text)
    return over(left + (answers[0].text.isEmpty || foot.isEmpty ? "" : "\n") + foot, text)
  }

  func lines(_ markdown: String, _ text: RecordText) -> [String] {
    guard markdown.contains(where: { !$0.isWhitespace }) else { return [] }
    guard let width = text.width else {
      // The view itself writes the empty line between two blocks.
      let ends = markdown.drop { $0.isNewline }
      let last = ends.lastIndex { !$0.isNewline } ?? ends.startIndex
      return [Visible.text(String(ends[...last]), keepingLines: true)]
    }
    let drawn = MarkdownText(width: width, palette: text.palette).text(markdown)
    return drawn.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  private func gapAfter(_ block: String) -> String {
    block.contains { !$0.isWhitespace } ? "\n" : ""
  }

  /// Returns the line below the given answer.
  ///
  /// It shows the cost, or why the answer is incomplete.
  func footer(_ message: Message, _ text: RecordText) -> String {
    guard let width = text.width else { return "" }
    var words: [String] = []
    if message.complete == true {
      if let usage = message.usage, usage.totalTokens > 0 {
        words.append("\(usage.inputTokens) tokens in, \(usage.outputTokens) out")
      }
      if let cost = message.costUSD, cost > 0 { words.append(Numbers.dollars(cost)) }
      if let total = message.totalMs { words.append("\((total / 100).rounded() / 10) s") }
    } else {
      // For a single answer, stderr reports the reason.
      let reason = answers.count > 1 ? message.error.map { ": \($0.sentence)" } : nil
      words.append("not complete\(reason ?? "")")
    }
    guard !words.isEmpty else { return "" }
    let look: Look = message.complete == true ? .faint : .bad
    return Cells.wrapped(Visible.line(words.joined(separator: " · ")), to: width)
      .map { text.palette.painted($0, look) + "\n" }.joined()
  }
}
