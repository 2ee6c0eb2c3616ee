import Foundation
import TestSupport
import Testing

@testable import Agents

/// Bytes that were passed on and wait to be told of.
struct BacklogTests {
  /// What comes out of a backlog that nobody adds to any more, as lines and how many are lost.
  private func drain(
    _ backlog: LineBacklog, _ cutter: inout LineCutter, atMost most: Int = .max
  ) -> (lines: [String], hasEnded: Bool) {
    var lines: [String] = []
    let emit = { (line: LineCutter.Line) in
      lines.append(String(decoding: line.bytes, as: UTF8.self))
    }
    for _ in 0..<most {
      switch backlog.next() {
      case .bytes(let bytes, let count, let lost):
        cutter.count(lost: lost)
        bytes.withUnsafeBytes {
          cutter.cut(UnsafeRawBufferPointer(rebasing: $0[..<count]), emit)
        }
      case .gap(let count, let endsLine): cutter.lose(lines: count, endsLine: endsLine)
      case .end:
        cutter.end(emit)
        return (lines, true)
      }
    }
    return (lines, false)
  }

  @Test(arguments: 0..<8)
  func `of what comes too fast, each line is told whole or counted`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let backlog = LineBacklog()
    var cutter = LineCutter()
    var told: [String] = []
    var text: [UInt8] = []
    var count = 0
    let length = [2, 40, 3000, 300_000][Int(seed % 4)]
    // Six times what may wait, with a reader that takes a piece now and then.
    while text.count < 6 << 20 {
      var piece: [UInt8] = []
      while piece.count < LineBacklog.pieceSize / 2 {
        let filler = [UInt8](
          repeating: UInt8(ascii: "x"), count: Int.random(in: 0...length, using: &random))
        piece += Array("\(count) ".utf8) + filler + [UInt8(ascii: "\n")]
        count += 1
      }
      text += piece
    }
    // No line feed at the end: the last line is one, too.
    text.removeLast()
    var rest = text[...]
    while !rest.isEmpty {
      var room = backlog.room()
      let size = min(rest.count, Int.random(in: 1...LineBacklog.pieceSize, using: &random))
      room.replaceSubrange(0..<size, with: rest.prefix(size))
      backlog.add(room, count: size, holdsRecords: false)
      rest = rest.dropFirst(size)
      if Int.random(in: 0..<10, using: &random) == 0, !backlog.isFlooded {
        told += drain(backlog, &cutter, atMost: 1).lines
      }
    }
    backlog.end()
    told += drain(backlog, &cutter).lines
    #expect(backlog.isFlooded == false)
    #expect(cutter.lost > 0)
    #expect(told.count + cutter.lost == count)
    // They are whole, and in their order.
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let numbers = told.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
    #expect(numbers.count == told.count && numbers == numbers.sorted())
    for (number, line) in zip(numbers, told) {
      let whole = lines[number]
      #expect(line.utf8.elementsEqual(whole.prefix(LineCutter.maximumLength)))
    }
  }

  @Test func `what holds records waits longer than what does not`() {
    let backlog = LineBacklog()
    let record = Array("{\"type\":\"metric\"}\n".utf8)
    for _ in 0..<40 {
      var room = backlog.room()
      room.replaceSubrange(0..<record.count, with: record)
      backlog.add(room, count: record.count, holdsRecords: true)
      let other = [UInt8](repeating: UInt8(ascii: "\n"), count: LineBacklog.pieceSize)
      backlog.add(other, count: other.count, holdsRecords: false)
    }
    backlog.end()
    var cutter = LineCutter()
    let lines = drain(backlog, &cutter).lines
    #expect(lines.count { $0.hasPrefix("{") } == 40)
    #expect(cutter.lost + lines.count == 40 + 40 * LineBacklog.pieceSize)
    #expect(cutter.lost > 0)
  }

  @Test func `of a flood the last lines are told, and before them what matters`() {
    let backlog = LineBacklog()
    let piece = (0..<4000).map { number in
      number.isMultiple(of: 1000) ? "{\(number)\n" : number == 77 ? "error: 77\n" : "\(number)\n"
    }.joined()
    for _ in 0..<80 {
      var room = backlog.room()
      room.replaceSubrange(0..<piece.utf8.count, with: piece.utf8)
      backlog.add(room, count: piece.utf8.count, holdsRecords: false)
    }
    backlog.end()
    var cutter = LineCutter()
    let lines = drain(backlog, &cutter).lines
    #expect(lines.count + cutter.lost == 80 * 4000)
    let last = lines.suffix(205)
    #expect(last.prefix(5).map(\.self) == ["{0", "error: 77", "{1000", "{2000", "{3000"])
    #expect(last.dropFirst(5).map(\.self) == (3800..<4000).map { "\($0)" })
  }

  @Test func `lines are counted as one by one`() {
    var random = SeededRandom(seed: 3)
    for size in [0, 1, 63, 64, 65, 1000, 64 * 255, 64 * 256 + 7, 100_000] {
      let bytes = (0..<size).map { _ in Bool.random(using: &random) ? UInt8(10) : 120 }
      let count = bytes.withUnsafeBytes { LineBacklog.lines(in: $0[...]) }
      #expect(count == bytes.count { $0 == 10 })
    }
  }

  @Test func `pieces with lines that begin as an object are found, however they are cut`() {
    var random = SeededRandom(seed: 4)
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 1...40, using: &random)).map { _ in
        ["{", "\n", "x", "{\n", "x{", "\n\n"].randomElement(using: &random) ?? ""
      }.joined()
      let bytes = Array(text.utf8)
      // Whether each byte is of such a line.
      var isOf: [Bool] = []
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        isOf += [Bool](repeating: line.hasPrefix("{"), count: line.utf8.count + 1)
      }
      var finder = RecordFinder(isNeeded: true)
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + Int.random(in: 1...9, using: &random))
        let found = bytes.withUnsafeBytes { finder.holdsRecords($0[start..<end]) }
        let isThere = (start..<end).contains { isOf[$0] && bytes[$0] != 10 }
        // The line feed alone of such a line is no part of it that matters.
        #expect(found || !isThere, "\(text.debugDescription) \(start)..<\(end)")
        if found { #expect((start..<end).contains { isOf[$0] }) }
        start = end
      }
    }
  }
}
