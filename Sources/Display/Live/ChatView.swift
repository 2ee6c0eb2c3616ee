public import Core

/// Answers on a terminal: one as it comes, its Markdown drawn; several side by side once all have ended,
/// and until then a line for each.
public struct ChatView: Sendable {
  /// An answer that is being given.
  private struct Answer: Sendable {
    var id: String
    var model: String
    var text = ""
    var isThinking = false
    var message: Message?
  }

  private var answers: [Answer] = []
  /// How much of the one answer's text stands on the terminal for good, in bytes.
  private var settled = 0
  /// How many lines of the block that is being written were left standing, since they no longer fit.
  private var standing = 0
  /// The lines that are drawn, and may be drawn over.
  private var drawn = 0
  private let canMove: Bool

  /// Between two columns there is so much room.
  private static let gap = 3
  /// A column has so many cells at least.
  private static let leastColumn = 34

  /// A view of nothing.
  ///
  /// - Parameter canMove: Whether the terminal can be drawn over.
  public init(canMove: Bool) {
    self.canMove = canMove
  }

  /// Whether a message is one whose pieces were shown.
  public func knows(_ message: Message) -> Bool { answers.contains { $0.id == message.id } }

  /// What shows a piece of an answer.
  ///
  /// - Parameters:
  ///   - delta: The piece.
  ///   - text: How records look now.
  ///   - rows: The terminal's rows.
  /// - Returns: What to write.
  public mutating func show(_ delta: Delta, _ text: RecordText, rows: Int) -> String {
    guard let id = delta.messageId else { return "" }
    if delta.restart == true { return restart(id, text) }
    let place = answers.firstIndex { $0.id == id } ?? answers.count
    if place == answers.count {
      answers.append(Answer(id: id, model: delta.model))
    }
    answers[place].model = delta.model
    answers[place].isThinking = delta.reasoning != nil
    answers[place].text += delta.text
    return draw(text, rows: rows)
  }

  /// What shows how an answer ended.
  public mutating func show(_ message: Message, _ text: RecordText, rows: Int) -> String {
    guard let place = answers.firstIndex(where: { $0.id == message.id }) else { return "" }
    answers[place].message = message
    guard answers.allSatisfy({ $0.message != nil }) else { return draw(text, rows: rows) }
    defer { self = ChatView(canMove: canMove) }
    guard answers.count > 1 else { return ended(message, text) }
    return erased + columns(text)
  }

  /// Leaves what is drawn as it is.
  public mutating func release() {
    standing += drawn
    drawn = 0
  }

  /// What is drawn of answers that never ended.
  public mutating func end() -> String {
    defer { self = ChatView(canMove: canMove) }
    return drawn > 0 && answers.count == 1 ? "\n" : ""
  }

  private var erased: String { drawn > 0 ? "\r\u{1B}[\(drawn)A\u{1B}[J" : "" }

  private mutating func restart(_ id: String, _ text: RecordText) -> String {
    guard let place = answers.firstIndex(where: { $0.id == id }) else { return "" }
    answers[place].text = ""
    guard answers.count == 1 else { return "" }
    let wiped = erased
    let note = settled + standing > 0 ? text.line("… the answer begins again") : ""
    (settled, standing, drawn) = (0, 0, 0)
    return wiped + note
  }

  private mutating func draw(_ text: RecordText, rows: Int) -> String {
    answers.count == 1 ? drawOne(text, rows: rows) : drawSeveral(text)
  }

  // MARK: One answer

  private mutating func drawOne(_ text: RecordText, rows: Int) -> String {
    let whole = answers[0].text
    let rest = String(decoding: whole.utf8.dropFirst(settled), as: UTF8.self)
    let end = Self.endOfBlocks(rest)
    var shown = ""
    if end > 0 {
      let done = String(decoding: rest.utf8.prefix(end), as: UTF8.self)
      shown += lines(done, text).dropFirst(standing).map { $0 + "\n" }.joined() + gapAfter(done)
      settled += end
      standing = 0
    }
    guard canMove else { return shown }
    let wiped = erased
    let pending = String(decoding: rest.utf8.dropFirst(end), as: UTF8.self)
    var left = Array(lines(pending, text).dropFirst(standing))
    if whole.isEmpty, answers[0].isThinking { left = [text.palette.painted("thinking …", .faint)] }
    // What leaves the screen cannot be drawn over.
    let overflow = max(0, left.count - max(1, rows - 2))
    standing += overflow
    drawn = left.count - overflow
    return wiped + shown + left.map { $0 + "\n" }.joined()
  }

  private mutating func ended(_ message: Message, _ text: RecordText) -> String {
    let rest = String(decoding: answers[0].text.utf8.dropFirst(settled), as: UTF8.self)
    let left = lines(rest, text).dropFirst(standing).map { $0 + "\n" }.joined()
    let foot = footer(message, text)
    return erased + left + (answers[0].text.isEmpty || foot.isEmpty ? "" : "\n") + foot
  }

  private func lines(_ markdown: String, _ text: RecordText) -> [String] {
    guard markdown.contains(where: { !$0.isWhitespace }) else { return [] }
    guard let width = text.width else {
      return [Visible.text(markdown, keepingLines: true)]
    }
    let drawn = MarkdownText(width: width, palette: text.palette).text(markdown)
    return drawn.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  private func gapAfter(_ block: String) -> String {
    block.contains { !$0.isWhitespace } ? "\n" : ""
  }

  /// Where the last block ends that nothing can be added to any more, in bytes: behind a blank line that
  /// is in no fence, and before a line that belongs to no list.
  static func endOfBlocks(_ text: String) -> Int {
    var (end, at) = (0, 0)
    var fence: String?
    var isAfterBlank = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.drop { $0 == " " }
      if isAfterBlank, fence == nil, !words.isEmpty, words.count == line.count { end = at }
      if let first = words.first, first == "`" || first == "~" {
        let mark = String(words.prefix { $0 == first })
        if let open = fence {
          if mark.hasPrefix(open), words.dropFirst(mark.count).allSatisfy({ $0 == " " }) {
            fence = nil
          }
        } else if mark.count >= 3 {
          fence = mark
        }
      }
      isAfterBlank = words.isEmpty
      at += line.utf8.count + 1
    }
    return end
  }

  // MARK: Several answers

  private mutating func drawSeveral(_ text: RecordText) -> String {
    guard canMove else { return "" }
    let wiped = erased
    let lines = answers.map { answer in
      text.line("\(answer.model)  \(Self.state(answer))")
    }
    drawn = lines.count
    return wiped + lines.joined()
  }

  private static func state(_ answer: Answer) -> String {
    if let message = answer.message { return message.complete == true ? "done" : "failed" }
    let words = answer.text.split(whereSeparator: \.isWhitespace).count
    guard words > 0 else { return answer.isThinking ? "thinking …" : "waiting …" }
    return "\(words) words …"
  }

  private func columns(_ text: RecordText) -> String {
    let messages = answers.compactMap(\.message)
    let width = text.width ?? 0
    let column = (width - Self.gap * (messages.count - 1)) / max(1, messages.count)
    guard column >= Self.leastColumn else {
      return messages.map { block($0, text).joined(separator: "\n") + "\n" }
        .joined(separator: "\n")
    }
    var narrow = text
    narrow.width = column
    var plain = narrow
    plain.palette = .none
    let blocks = messages.map { message in
      zip(block(message, narrow), block(message, plain)).map { line, words in
        // What makes a text stand out takes no room.
        line + String(repeating: " ", count: max(0, column - Cells.width(words)))
      }
    }
    let height = blocks.map(\.count).max() ?? 0
    let between = String(repeating: " ", count: Self.gap)
    let empty = String(repeating: " ", count: column)
    return (0..<height).map { row in
      blocks.map { row < $0.count ? $0[row] : empty }.joined(separator: between) + "\n"
    }.joined()
  }

  /// An answer under its model's name.
  private func block(_ message: Message, _ text: RecordText) -> [String] {
    let name = text.palette.painted(
      Cells.cut(Visible.line(message.model ?? ""), to: text.width ?? .max), .heading)
    let foot = footer(message, text).split(separator: "\n").map(String.init)
    let words = lines(message.text, text)
    return [name, ""] + words + (words.isEmpty || foot.isEmpty ? [] : [""]) + foot
  }

  /// What an answer cost, or why it is not whole.
  private func footer(_ message: Message, _ text: RecordText) -> String {
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
