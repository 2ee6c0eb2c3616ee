import Core
import Foundation
import TestSupport
import Terminals
import Testing

@testable import Tmux

/// Paints what one pane of a real tmux shows into another one, and compares the two.
struct ScreenPainterTests {
  /// A pane's screen as tmux writes it: text, colours, attributes.
  private func captured(_ server: TmuxServer, _ name: String) throws -> [String] {
    try server.tmux("capture-pane", "-p", "-e", "-N", "-t", "=\(name):")
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private func cells(_ screen: TmuxScreen) -> [[ScreenCell]] {
    var pen = ScreenPen(joinsEmoji: screen.joinsEmoji)
    return screen.lines.map { line in
      var cells = pen.cells(line, before: 10_000)
      while let last = cells.last, last.text == " ", last.style == CellStyle() {
        cells.removeLast()
      }
      return cells
    }
  }

  /// Cells as a text that a person can compare.
  private func text(_ cells: [ScreenCell]) -> String {
    cells.map { "\($0.style.sequence.dropFirst())\($0.text)\($0.columns)" }.joined(separator: " ")
  }

  /// Text of every kind, at every place: colours, wide characters, marks, lines, erased lines.
  ///
  /// None is erased by half: of a wide character tmux then keeps both the character and the blank, so
  /// that a captured line is longer than it is shown.
  private func content(_ random: inout SeededRandom, columns: Int, lines: Int) -> String {
    let pieces = [
      "word", " ", "漢字", "한글", "é", "e\u{301}", "😀", "🇩🇪", "👍🏽", "👩\u{200D}🔬", "☺\u{FE0F}", "─┼│",
      "ａｂ", "ﷺ", "ก็", "\u{1E00}\u{323}", "\u{1B}(0lqqk\u{1B}(B", "\r\n\u{1B}[K", "\u{1B}[2K", "\t",
      "\r\n", "→",
      "~~~", "\u{AD}", "ｱ", "\u{1B}[0m",
    ]
    var text = ""
    for _ in 0..<Int.random(in: 20..<250, using: &random) {
      if random.chance(3) {
        let codes = [
          "0", "1", "2", "3", "4", "5", "7", "8", "9", "4:3", "4:5", "21", "22", "24", "27", "53",
          "\(Int.random(in: 30...37, using: &random))",
          "\(Int.random(in: 40...47, using: &random))",
          "\(Int.random(in: 90...97, using: &random))",
          "\(Int.random(in: 100...107, using: &random))",
          "38;5;\(Int.random(in: 0...255, using: &random))",
          "48;2;1;\(Int.random(in: 0...255, using: &random));3", "58;5;7", "39", "49", "59",
        ]
        text += "\u{1B}[" + random.one(of: codes, else: "0") + "m"
      }
      if random.chance(6) {
        let line = Int.random(in: 1...lines, using: &random)
        text += "\u{1B}[\(line);\(Int.random(in: 1...columns, using: &random))H"
      }
      text += random.one(of: pieces, else: "")
    }
    return text
  }

  @Test(arguments: 1...6) func `a painted screen is the screen, cell for cell`(seed: Int) throws {
    let server = try TmuxServer()
    var random = SeededRandom(seed: UInt64(seed))
    let columns = Int.random(in: 20...90, using: &random)
    let lines = Int.random(in: 5...30, using: &random)
    var painter = ScreenPainter(columns: columns, lines: lines)
    var painted: [UInt8] = []
    var source = ""
    // Several screens one after the other, so that only what changed is painted.
    for frame in 0..<4 {
      source += content(&random, columns: columns, lines: lines)
      try server.show(Array(source.utf8), as: "source\(frame)", columns: columns, lines: lines)
      let screen = try server.screen("source\(frame)")
      painted += painter.paint(screen)
      #expect(painter.paint(screen) == [])
      try server.show(painted, as: "painted\(frame)", columns: columns, lines: lines)
      let copy = try server.screen("painted\(frame)")
      let shown = cells(screen)
      #expect(shown.contains { $0.contains { $0.columns == 2 } })
      for (line, wanted) in zip(cells(copy), shown).map({ (text($0), text($1)) }) {
        #expect(line == wanted, "frame \(frame)")
      }
      #expect(numbers(copy.cursorX, copy.cursorY) == numbers(screen.cursorX, screen.cursorY))
      // And without our own reading of it, where nothing is drawn with the second set.
      let plain = try captured(server, "source\(frame)")
      if !plain.contains(where: { $0.contains("\u{E}") }) {
        let blank = try Regex("( |\u{1B}\\[[0-9;:]*m)+$")
        func trimmed(_ lines: [String]) -> [String] { lines.map { $0.replacing(blank, with: "") } }
        #expect(
          try trimmed(captured(server, "painted\(frame)")).map(text) == trimmed(plain).map(text))
      }
    }
  }

  /// A line without its colours.
  private func text(_ line: String) -> String {
    line.replacing(#/\u{1B}\[[0-9;:]*m/#, with: "")
  }

  @Test func `sixteen, two hundred and sixteen million colours stay what they are`() throws {
    let server = try TmuxServer()
    let styles = [
      "31", "91", "38;5;1", "38;5;200", "38;2;1;2;3", "41", "101", "48;5;9", "48;2;9;8;7", "1", "2",
      "3",
      "4", "5", "7", "8", "9", "21", "4:3", "4:4", "4:5", "53", "4;58;5;9", "4;58;2;1;2;3",
    ]
    let source = styles.map { "\u{1B}[0;\($0)mx\u{1B}[1mx" }.joined(separator: "\r\n")
    try server.show(Array(source.utf8), as: "source", columns: 10, lines: 30)
    var painter = ScreenPainter(columns: 10, lines: 30)
    let painted = painter.paint(try server.screen("source"))
    try server.show(painted, as: "painted", columns: 10, lines: 30)
    #expect(try captured(server, "painted") == captured(server, "source"))
    #expect(try captured(server, "source").joined().contains("38;2;1;2;3"))
  }

  @Test(arguments: 11...16) func `a smaller terminal shows the part with the cursor`(seed: Int)
    throws
  {
    let server = try TmuxServer()
    var random = SeededRandom(seed: UInt64(seed))
    let (columns, lines) = (70, 24)
    let source = content(&random, columns: columns, lines: lines)
    try server.show(Array(source.utf8), as: "source", columns: columns, lines: lines)
    let screen = try server.screen("source")
    let size = (
      Int.random(in: 1...columns, using: &random), Int.random(in: 1...lines, using: &random)
    )
    var painter = ScreenPainter(columns: size.0, lines: size.1)
    try server.show(painter.paint(screen), as: "painted", columns: size.0, lines: size.1)
    let copy = try server.screen("painted")
    #expect(copy.cursorX == screen.cursorX - painter.originX)
    #expect(copy.cursorY == screen.cursorY - painter.originY)
    let whole = cells(screen)
    for (index, line) in cells(copy).enumerated() {
      #expect(
        places(line, columns: size.0)
          == places(
            whole[painter.originY + index], columns: columns, from: painter.originX, count: size.0),
        "line \(index)")
    }
  }

  /// What is in each column, a wide character cut at an edge being a blank of its look.
  private func places(_ cells: [ScreenCell], columns: Int, from: Int = 0, count: Int? = nil)
    -> [ScreenCell]
  {
    let blank = ScreenCell(text: " ", columns: 1, style: CellStyle())
    let end = from + (count ?? columns)
    var places: [ScreenCell] = []
    for cell in cells {
      places.append(cell)
      if cell.columns == 2 { places.append(ScreenCell(text: "", columns: 0, style: cell.style)) }
    }
    while places.count < end { places.append(blank) }
    var cut = Array(places[from..<end])
    if cut.first?.columns == 0 { cut[0] = ScreenCell(text: " ", columns: 1, style: cut[0].style) }
    if let last = cut.last, last.columns == 2 {
      cut[cut.count - 1] = ScreenCell(text: " ", columns: 1, style: last.style)
    }
    return cut
  }

  @Test func `the part that is seen moves only when the cursor leaves it`() throws {
    var painter = ScreenPainter(columns: 20, lines: 10)
    func origin(_ x: Int, _ y: Int, width: Int = 100, height: Int = 50) throws -> [Int] {
      let head = "agentpipes-screen/1 %1 \(width) \(height) \(x) \(y) 1 0 0 100 50 3.3a \n"
      _ = painter.paint(try TmuxScreenTests.screen(head + String(repeating: "\n", count: height)))
      return [painter.originX, painter.originY]
    }
    #expect(try origin(0, 0) == [0, 0])
    #expect(try origin(19, 9) == [0, 0])
    #expect(try origin(20, 10) == [10, 1])
    #expect(try origin(10, 1) == [10, 1])
    #expect(try origin(99, 49) == [80, 40])
    #expect(try origin(85, 45) == [80, 40])
    #expect(try origin(9, 12) == [0, 12])
    #expect(try origin(5, 5, width: 10, height: 6) == [0, 0])
    painter.resize(columns: 200, lines: 100)
    #expect(try origin(99, 49) == [0, 0])
  }

  @Test func `nothing but text and its look reaches the terminal`() throws {
    let evil = [
      "a\u{1B}]52;c;ZXZpbA==\u{7}b", "\u{1B}]8;;http://e/\u{1B}\\link\u{1B}]8;;\u{1B}\\",
      "\u{1B}P+q544e\u{1B}\\x",
      "\u{1B}[2J\u{1B}[6n\u{1B}[?1049h\u{1B}[>c\u{1B}[5;1H", "\u{1B}c\u{1B}#8\u{1B}(0q\u{1B}(B",
      "\u{9B}31m\u{85}\u{90}",
      "\u{202E}abc\u{2066}\u{E0041}\u{2028}", "\u{7}\u{8}\u{7F}\u{0}", "\u{1B}[31", "\u{1B}",
      "\u{1B}]0;t",
      "\u{1B}[99999999999999999999;4:9:9:9mz", "e" + String(repeating: "\u{301}", count: 5000),
    ]
    var random = SeededRandom(seed: 8)
    for round in 0..<200 {
      var lines = (0..<6).map { _ in random.one(of: evil, else: "") + "é漢" }
      if round > 20 {
        lines = lines.map { String($0.unicodeScalars.shuffled(using: &random).map(Character.init)) }
      }
      let head = "agentpipes-screen/1 %1 20 6 3 3 1 0 0 20 6 3.5a \n"
      let bytes = Array(
        (head + lines.map { $0.split(separator: "\n").joined() + "\n" }.joined()).utf8)
      var painter = ScreenPainter(columns: 20, lines: 6)
      let painted = String(
        decoding: painter.paint(
          try TmuxScreen(
            TmuxAnswer(status: 0, output: bytes, errors: []), of: TmuxTarget("a"), on: "box")),
        as: UTF8.self)
      let ours = #/\u{1B}\[(0(;[0-9:]+)*m|2J|K|[0-9]+;[0-9]+H|[0-9]+G|\?25[lh])/#
      let text = painted.replacing(ours, with: "")
      #expect(text.unicodeScalars.allSatisfy { CharacterWidth.columns(of: $0) != nil })
      #expect(Visible.text(text) == text)
      #expect(painted.utf8.count < 6000)
    }
  }

  @Test func `a character is as wide as tmux takes it for`() throws {
    let server = try TmuxServer()
    let characters = [
      0xA0...0x2FFF, 0x3000...0x33FF, 0xA490...0xABFF, 0xD7A0...0xD7FF, 0xF900...0xFFFD,
      0x1F000...0x1FAFF,
    ]
    .flatMap { $0.compactMap { Unicode.Scalar(UInt32($0)) } }
    .filter { scalar in
      // What the C library of this machine may not know yet, and what joins what comes after it.
      guard let age = scalar.properties.age, age.major <= 11 else { return false }
      return CharacterWidth.columns(of: scalar) != nil && scalar != "\u{200D}"
    }
    #expect(characters.count > 11_000)
    var wrong: [String] = []
    for (index, start) in stride(from: 0, to: characters.count, by: 4000).enumerated() {
      let part = characters[start..<min(start + 4000, characters.count)]
      // Behind a wide one the first x is in the third column, where the second comes too.
      let text = part.map { "o\($0)x\u{1B}[4Gy" }.joined(separator: "\r\n")
      try server.show(Array(text.utf8), as: "widths\(index)", columns: 6, lines: 4000)
      let lines = try server.tmux("capture-pane", "-p", "-t", "=widths\(index):").split(
        separator: "\n")
      for (scalar, line) in zip(part, lines) {
        let shown = line.unicodeScalars.filter { $0 != scalar }.map(String.init).joined()
        let columns = ["ox y": 0, "oxy": 1, "oy": 2][shown]
        if columns != CharacterWidth.columns(of: scalar) {
          wrong.append("U+\(String(scalar.value, radix: 16)) \(line)")
        }
      }
    }
    #expect(wrong == [])
  }
}
