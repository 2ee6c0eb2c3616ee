import Core
import TestSupport
import Testing

@testable import Display

/// Answers as they are drawn on a terminal.
@Suite struct ChatViewTests {
  private static func delta(_ text: String, id: String = "m") -> Delta {
    Delta(model: "a-model", text: text).with { $0.messageId = id }
  }

  private static func message(_ text: String, id: String = "m") -> Message {
    Message(role: "assistant", text: text).with {
      $0.id = id
      $0.model = "a-model"
      $0.complete = true
    }
  }

  /// The rows that stand there after an answer came in pieces, but for the empty ones.
  private static func rows(
    _ pieces: [String], width: Int = 40, rows: Int = .max, releasing: Set<Int> = [],
    canMove: Bool = true
  ) -> [String] {
    var screen = Rows()
    var view = ChatView(canMove: canMove)
    let text = RecordText(width: width)
    screen.write(view.show(delta(""), text, rows: rows))
    for (place, piece) in pieces.enumerated() {
      screen.write(view.show(delta(piece), text, rows: rows))
      if releasing.contains(place) { screen.write(view.standAside(text)) }
    }
    screen.write(view.show(message(pieces.joined()), text, rows: rows))
    return screen.rows.filter { !$0.isEmpty }
  }

  @Test func `in a file the text is as it came, and no line is added`() {
    let markdown = "# Title\n\nTwo\nlines\n\n```\n  code\n\nmore\n```\n\n- one\n- two\n"
    let text = RecordText(width: nil)
    for size in [1, 3, 1000] {
      var view = ChatView(canMove: false)
      var shown = view.show(Self.delta(""), text, rows: 24)
      var rest = markdown[...]
      while !rest.isEmpty {
        shown += view.show(Self.delta(String(rest.prefix(size))), text, rows: 24)
        rest = rest.dropFirst(size)
      }
      shown += view.show(Self.message(markdown), text, rows: 24)
      #expect(shown == markdown, "in pieces of \(size)")
    }
  }

  /// Lines that documents are made of, many of which go on with what stands above them.
  private static let lines = [
    "", "", "",
    "A line of words that is longer than the forty cells of a row, **strong** at its end.",
    "word", "- one", "- ", "-", "--", "---", "* two", "**bold** words", "  below", "    deeper",
    "1. first", "10. tenth", "1", "12", "2) other", "```", "```swift", "``` ```", "   ```",
    "    ```",
    "~~~", "~~~~", "\t```", "> quoted", ">", "| a | b |", "|---|---|", "| 1 | 2 |", "# Title",
    "## Second #", "\t", " ", "\u{A0}", "+ three", "  - inner", "<b>", "\\", "漢字の文です",
    "x\r", "\r", "+", "- ```", "  ```", "1.", "10) ", "_ _ _",
  ]

  private static func document(_ random: inout SeededRandom) -> String {
    (0..<Int.random(in: 1...14, using: &random))
      .map { _ in random.one(of: lines, else: "") }.joined(separator: "\n")
  }

  private static func pieces(_ text: String, _ random: inout SeededRandom) -> [String] {
    var pieces: [String] = []
    var rest = Array(text.unicodeScalars)[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...9, using: &random))
      rest = rest.dropFirst(piece.count)
      var scalars = String.UnicodeScalarView()
      scalars.append(contentsOf: piece)
      pieces.append(String(scalars))
    }
    return pieces
  }

  @Test(arguments: 0..<16)
  func `however several answers come in pieces, their words are counted as in the whole`(
    _ seed: UInt64
  ) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<30 {
      let document = Self.document(&random)
      let count = document.split(whereSeparator: \.isWhitespace).count
      var view = ChatView(canMove: true)
      let text = RecordText(width: 40)
      var screen = Rows()
      for id in ["one", "two"] { screen.write(view.show(Self.delta("", id: id), text, rows: 24)) }
      screen.write(view.show(Self.delta("A false start", id: "two"), text, rows: 24))
      let again = Delta(model: "", text: "").with { ($0.messageId, $0.restart) = ("two", true) }
      screen.write(view.show(again, text, rows: 24))
      for piece in Self.pieces(document, &random) {
        screen.write(view.show(Self.delta(piece, id: "two"), text, rows: 24))
      }
      screen.write(view.show(Self.delta("", id: "two"), text, rows: 24))
      let shown = count == 0 ? "waiting …" : "\(count) words …"
      #expect(
        screen.rows.filter { !$0.isEmpty } == ["a-model  waiting …", "a-model  \(shown)"],
        "\(document.debugDescription)")
    }
  }

  @Test(arguments: 0..<16)
  func `however an answer comes in pieces, it stands there as if it had come whole`(
    _ seed: UInt64
  ) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<30 {
      let document = Self.document(&random)
      let whole = Self.rows([document])
      let pieces = Self.pieces(document, &random)
      for canMove in [true, false] {
        let shown = Self.rows(pieces, canMove: canMove)
        #expect(shown == whole, "\(document.debugDescription) as \(pieces)")
        if shown != whole { return }
      }
    }
  }

  @Test func `what is settled can be no part of what follows`() {
    let cases: [(text: String, settled: String)] = [
      ("One\n\nT", "One\n\n"), ("One\n\n", ""), ("One\nTwo\n\n  T", ""), ("- one\n\n- t", ""),
      ("- one\n\n1", ""), ("- one\n\n**b", "- one\n\n"), ("```\na\n\nb", ""),
      ("```\na\n```\n\nb", "```\na\n```\n\n"), ("One\r\n\r\nT", "One\r\n\r\n"), ("One\r\n\r", ""),
      ("One\n\n-", ""), ("One\n\n--", "One\n\n"), ("One\n\n\t\nT", "One\n\n\t\n"),
      ("One\n\n漢", "One\n\n"), ("One\n\nTwo\n\nT", "One\n\nTwo\n\n"),
    ]
    for (text, settled) in cases {
      let end = MarkdownText.endOfSettled(text)
      #expect(String(decoding: text.utf8.prefix(end), as: UTF8.self) == settled)
    }
  }

  @Test func `what no longer fits stays, and is drawn once`() {
    let items = (1...30).map { "- item \($0)" }
    let pieces = items.map { $0 + "\n" }
    for rows in [3, 5, 24] {
      #expect(Self.rows(pieces, rows: rows) == items.map { $0.replacing("-", with: "•") })
    }
  }

  @Test func `what something else was shown below goes on below it, and no word is lost`() {
    let pieces = ["A first", " line of an ans", "wer that goes on and on", " and ends."]
    #expect(
      Self.rows(pieces, releasing: [0, 2]) == [
        "A first", "A first line of an answer that goes on", "and on",
        "and on and ends.",
      ])
    // Where nothing comes after it, it is not drawn again.
    #expect(Self.rows(["All of it."], releasing: [0]) == ["All of it."])
    #expect(Self.rows(["", "All of it."], releasing: [0]) == ["All of it."])
  }

  @Test func `in a window that became narrower, the rows that its lines take now are drawn over`() {
    var view = ChatView(canMove: true)
    let long = String(repeating: "long ", count: 19) + "line"
    _ = view.show(Self.delta(long), RecordText(width: 100), rows: 24)
    // A line of 99 cells takes three rows of 40.
    let drawn = view.show(Self.delta("s"), RecordText(width: 40), rows: 24)
    #expect(drawn.hasPrefix("\r\u{1B}[3A\u{1B}[K"))
    var painted = ChatView(canMove: true)
    let colored = RecordText(
      width: 100, palette: Palette(isColored: true, hasLinks: true))
    _ = painted.show(Self.delta("**\(long)** [x](https://a.example/)"), colored, rows: 24)
    let again = painted.show(
      Self.delta("s"), RecordText(width: 51, palette: colored.palette), rows: 24)
    #expect(again.hasPrefix("\r\u{1B}[3A\u{1B}[K"))
  }

  @Test func `what stands there is found again in another width`() {
    var lines = StandingLines()
    let wide = ["one two three four", "five six seven", "eight"]
    _ = lines.left(of: wide, width: 20)
    lines.add(wide.prefix(2))
    #expect(lines.left(of: wide, width: 20) == ["eight"])
    let narrow = ["one two", "three four", "five six", "seven eight", "nine"]
    #expect(lines.left(of: narrow, width: 11) == ["seven eight", "nine"])
  }

  @Test func `an answer that begins again is drawn anew`() {
    var screen = Rows()
    var view = ChatView(canMove: true)
    let text = RecordText(width: 40)
    screen.write(view.show(Self.delta("One\n\nTwo"), text, rows: 24))
    let restart = Self.delta("").with { $0.restart = true }
    screen.write(view.show(restart, text, rows: 24))
    screen.write(view.show(Self.delta("Three"), text, rows: 24))
    screen.write(view.show(Self.message("Three"), text, rows: 24))
    #expect(screen.rows.filter { !$0.isEmpty } == ["One", "… the answer starts again", "Three"])
  }

  /// The rows of two answers in a window, without the spaces at their ends.
  private struct Two {
    var screen = Rows()
    var view = ChatView(canMove: true)
    let text: RecordText

    init(width: Int) {
      text = RecordText(width: width)
      for (model, id) in [("a-model", "m"), ("b-model", "n")] {
        say(Delta(model: model, text: "").with { $0.messageId = id })
      }
    }

    mutating func say(_ delta: Delta) { screen.write(view.show(delta, text, rows: 8)) }

    mutating func end(_ text: String, _ model: String, id: String) {
      let message = ChatViewTests.message(text, id: id).with { $0.model = model }
      screen.write(view.show(message, self.text, rows: 8))
    }

    var rows: [String] {
      screen.rows.map { row in String(row.reversed().drop { $0 == " " }.reversed()) }
    }
  }

  @Test func `several answers stand side by side as they come, where there is room`() {
    var two = Two(width: 80)
    #expect(two.rows == ["a-model  waiting …", "b-model  waiting …"])
    let heads = "a-model" + String(repeating: " ", count: 34) + "b-model"
    let gap = String(repeating: " ", count: 41)
    two.say(Self.delta("Some"))
    #expect(two.rows == [heads, gap + "waiting …", "Some"])
    two.say(Delta(model: "b-model", text: "Other").with { $0.messageId = "n" })
    two.say(Self.delta(" words"))
    let words = "Some words" + String(repeating: " ", count: 31)
    #expect(two.rows == [heads, "", words + "Other"])
    // Of an answer that is longer than the window its end is shown, and all of it once all have ended.
    let list = (1...9).map { "- \($0)" }
    two.say(Self.delta("\n\n" + list.joined(separator: "\n")))
    #expect(two.rows.count == 6 && two.rows.last == "• 9")
    two.end("Other", "b-model", id: "n")
    two.end((["Some words", ""] + list).joined(separator: "\n"), "a-model", id: "m")
    #expect(
      two.rows == [heads, "", words + "Other", ""] + list.map { $0.replacing("-", with: "•") })
  }

  @Test
  func `several answers stand one below the other where there is none, the first to end first`() {
    var two = Two(width: 60)
    two.say(Self.delta("Some words"))
    two.end("Second", "b-model", id: "n")
    #expect(two.rows == ["b-model", "", "Second", "", "a-model  2 words …"])
    two.end("First", "a-model", id: "m")
    #expect(two.rows == ["b-model", "", "Second", "", "a-model", "", "First"])
  }
}

/// A terminal without an end, as far as a view asks for one.
private struct Rows {
  private(set) var rows: [String] = []
  private var row = ""

  mutating func write(_ text: String) {
    var rest = text[...]
    while let match = rest.firstMatch(of: #/\r\u{1B}\[([0-9]+)A/#) {
      put(rest[..<match.range.lowerBound])
      rows.removeLast(Int(match.output.1) ?? 0)
      rest = rest[match.range.upperBound...]
    }
    put(rest)
  }

  private mutating func put(_ text: Substring) {
    let erasing = ["\u{1B}[K", "\u{1B}[J"].reduce(text) { Substring($0.replacing($1, with: "")) }
    for character in erasing {
      guard character == "\n" else {
        row.append(character)
        continue
      }
      rows.append(row)
      row = ""
    }
  }
}
