public import Core

/// Answers on a terminal, as they come, with their Markdown drawn.
///
/// Several answers stand side by side. If there is no room for columns, each is shown once it has ended,
/// and until then there is a line for it.
public struct ChatView: Sendable {
  /// An answer that is being given.
  struct Answer: Sendable {
    var id: String
    var model: String
    var text = ""
    /// How many words that is.
    var words = 0
    /// Whether the text ends within a word.
    private var isInWord = false
    var isThinking = false
    var message: Message?
    /// `true` once all of it stands on the terminal for good.
    var isShown = false
    /// Its rows where answers stand side by side.
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
  /// How much of the one answer's text stands on the terminal for good, in bytes.
  private var settled = 0
  /// What stands there of the rest.
  private var standing = StandingLines()
  /// The lines that are drawn, and may be drawn over.
  var drawn: [String] = []
  /// The terminal's width when they were drawn.
  var drawnWidth: Int?
  let canMove: Bool

  /// A view of nothing.
  ///
  /// - Parameter canMove: Whether the terminal can be drawn over.
  public init(canMove: Bool) {
    self.canMove = canMove
  }

  /// Whether a message is one whose pieces were shown.
  ///
  /// Pieces of an answer whose id is not known yet are those of the one that is told next.
  public func knows(_ message: Message) -> Bool {
    answers.contains { $0.id == message.id || $0.id.isEmpty }
  }

  /// What shows a piece of an answer.
  ///
  /// - Parameters:
  ///   - delta: The piece.
  ///   - text: How records look now.
  ///   - rows: The terminal's rows.
  /// - Returns: What to write.
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

  /// What shows how an answer ended.
  public mutating func show(_ message: Message, _ text: RecordText, rows: Int) -> String {
    guard let place = answers.firstIndex(where: { $0.id == message.id || $0.id.isEmpty })
    else { return "" }
    answers[place].message = message
    let isLast = answers.allSatisfy { $0.message != nil }
    defer { if isLast { self = ChatView(canMove: canMove) } }
    guard answers.count == 1 else { return drawSeveral(text, rows: rows) }
    return ended(message, text)
  }

  /// Leaves what is drawn as it is.
  public mutating func release() {
    // What is drawn before the first word is no line of the answer.
    if answers.count == 1, !answers[0].text.isEmpty, !drawn.isEmpty {
      standing.leave(drawn)
    }
    drawn = []
  }

  /// Makes room for something else: what is drawn of one answer stays, a list of several goes.
  ///
  /// - Returns: What to write.
  public mutating func standAside(_ text: RecordText) -> String {
    defer { release() }
    return answers.count > 1 ? over("", text) : ""
  }

  /// What is drawn of answers that never ended.
  public mutating func end() -> String {
    defer { self = ChatView(canMove: canMove) }
    return !drawn.isEmpty && answers.count == 1 ? "\n" : ""
  }

  /// What writes lines over what is drawn (CUU, EL and ED of ECMA-48).
  ///
  /// Each row is erased by itself: what is erased from the top of the screen on, some terminals keep
  /// above it.
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
    // What leaves the screen cannot be drawn over.
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
      // Between two blocks the view leaves a line itself.
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

  /// What an answer cost, or why it is not whole.
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
      // Of a single one stderr tells why.
      let reason = answers.count > 1 ? message.error.map { ": \($0.explanation)" } : nil
      words.append("not complete\(reason ?? "")")
    }
    guard !words.isEmpty else { return "" }
    let look: Look = message.complete == true ? .faint : .bad
    return Cells.wrapped(Visible.line(words.joined(separator: " · ")), to: width)
      .map { text.palette.painted($0, look) + "\n" }.joined()
  }
}
