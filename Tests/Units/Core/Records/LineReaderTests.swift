import Foundation
import TestSupport
import Testing

@testable import Core

/// Writes pieces into a pipe on a thread of its own and hands out the end to read from.
private func pipe(_ pieces: [[UInt8]]) -> Pipe {
  let pipe = Pipe()
  Thread.detachNewThread {
    for piece in pieces { try? pipe.fileHandleForWriting.write(contentsOf: Data(piece)) }
    try? pipe.fileHandleForWriting.close()
  }
  return pipe
}

private func lines(_ pieces: [[UInt8]]) throws -> [[UInt8]?] {
  let pipe = pipe(pieces)
  var reader = LineReader(descriptor: pipe.fileHandleForReading.fileDescriptor)
  var lines: [[UInt8]?] = []
  while let line = try reader.next() {
    lines.append(line.bytes)
    #expect(line.number == lines.count)
  }
  withExtendedLifetime(pipe) {}
  return lines
}

struct LineReaderTests {
  private let text = Array("\u{FEFF}one\r\n\n\r\ntwo\rthree\nfour\u{FEFF}\r\n  \nlast".utf8)
  private let expected = ["one", "", "", "two\rthree", "four\u{FEFF}", "  ", "last"]

  @Test func `lines written whole are split`() throws {
    #expect(try lines([text]) == expected.map { Array($0.utf8) })
  }

  @Test func `lines written byte by byte are split the same`() throws {
    #expect(try lines(text.map { [$0] }) == expected.map { Array($0.utf8) })
  }

  @Test func `lines written in random pieces are split the same`() throws {
    var random = SeededRandom(seed: 5)
    for _ in 0..<50 {
      var pieces: [[UInt8]] = []
      var rest = text[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...rest.count, using: &random)
        pieces.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(try lines(pieces) == expected.map { Array($0.utf8) })
    }
  }

  @Test func `an empty input has no lines`() throws {
    #expect(try lines([]).isEmpty)
  }

  @Test func `a last line needs no line feed, and a line feed makes no line after it`() throws {
    #expect(try lines([Array("a".utf8)]).count == 1)
    #expect(try lines([Array("a\n".utf8)]).count == 1)
  }

  @Test func `a line of 16 MiB is whole, one over is thrown away, and the next is read`() throws {
    let longest = [UInt8](repeating: 0x61, count: LineReader.maximumLength)
    let got = try lines([
      longest, Array("\r\n".utf8), longest, Array("b\nnext\n".utf8), longest, longest,
      Array("\nlast".utf8),
    ])
    try #require(got.count == 5)
    #expect(got[0]?.count == LineReader.maximumLength)
    #expect(got[1] == nil)
    #expect(got[2] == Array("next".utf8))
    #expect(got[3] == nil)
    #expect(got[4] == Array("last".utf8))
  }

  @Test func `many short lines are each found once`() throws {
    let count = 200_000
    let got = try lines([Array(String(repeating: "x\n", count: count).utf8)])
    #expect(got.count == count)
  }

  @Test func `a descriptor that cannot be read is a storage failure`() {
    let failure = #expect(throws: Failure.self) {
      var reader = LineReader(descriptor: 9999, name: "nothing")
      _ = try reader.next()
    }
    #expect(failure?.code == .storageFailed)
  }

  @Test func `a waiting read ends when the process is to end`() throws {
    let pipe = Pipe()
    let interruption = Interruption()
    let failure = #expect(throws: Failure.self) {
      var reader = LineReader(
        descriptor: pipe.fileHandleForReading.fileDescriptor, interruption: interruption)
      Thread.detachNewThread { interruption.fire(signal: SIGTERM) }
      _ = try reader.next()
    }
    #expect(failure?.code == .interrupted)
    #expect(failure?.cause == "SIGTERM")
    withExtendedLifetime(pipe) {}
  }
}

struct RecordReaderTests {
  private func reading<Value>(
    _ text: String, _ work: (inout RecordReader) throws -> Value
  ) throws -> Value {
    let pipe = pipe([Array(text.utf8)])
    var reader = RecordReader(
      LineReader(descriptor: pipe.fileHandleForReading.fileDescriptor))
    defer { withExtendedLifetime(pipe) {} }
    return try work(&reader)
  }

  private func items(_ text: String) throws -> [String] {
    try reading(text) { reader in
      var items: [String] = []
      while let item = try reader.next() {
        switch item {
        case .record(let record): items.append("\(record.source) \(record.type)")
        case .bad(let failure): items.append("\(failure.input ?? "") bad")
        }
      }
      return items
    }
  }

  @Test func `blank lines are passed over and counted`() throws {
    let got = try items("\u{FEFF}{\"type\":\"a\"}\r\n\n \t\r\n{\"type\":\"b\"}")
    #expect(got == ["<stdin>:1 a", "<stdin>:4 b"])
  }

  @Test func `a bad line is told and reading goes on`() throws {
    let got = try items("nonsense\n{\"type\":\"a\"}\n[]\n{\"type\":\"b\"}\n")
    #expect(got == ["<stdin>:1 bad", "<stdin>:2 a", "<stdin>:3 bad", "<stdin>:4 b"])
  }

  @Test func `a line over the limit is bad input`() throws {
    let long = String(repeating: "a", count: LineReader.maximumLength + 1)
    #expect(try items("\(long)\n{\"type\":\"a\"}\n") == ["<stdin>:1 bad", "<stdin>:2 a"])
  }

  @Test(arguments: [
    ("{\"type\":\"a\"}\nrest", true), ("\n \n{\"type\":\"a\"}", true), ("{\"a\":1}", false),
    ("{\"type\":1}", false), ("text", false), ("", false), ("\n\n", false),
    ("\u{FEFF}{\"type\":\"a\"}", true),
  ])
  func `input is records when its first line is one`(text: String, isRecords: Bool) throws {
    try reading(text) { reader in
      let answers = [try reader.holdsRecords(), try reader.holdsRecords()]
      #expect(answers == [isRecords, isRecords])
    }
  }

  @Test func `the first record is still read after the question`() throws {
    try reading("{\"type\":\"a\"}\n{\"type\":\"b\"}\n") { reader in
      _ = try reader.holdsRecords()
      guard case .record(let record) = try reader.next() else {
        Issue.record("no record")
        return
      }
      #expect(record.type == "a")
    }
  }

  @Test func `text is taken whole, with its lines`() throws {
    let text = "Compare\nthis\n\n  and that\n"
    let got = try reading(text) { reader in
      _ = try reader.holdsRecords()
      return try reader.text()
    }
    #expect(got == text)
  }

  @Test func `text of one line without a line feed is taken as it is`() throws {
    #expect(try reading("Compare this") { try $0.text() } == "Compare this")
  }

  @Test func `text over the limit is refused, whichever line is long`() throws {
    let long = String(repeating: "a", count: LineReader.maximumLength + 1)
    for text in [long, long + "\nmore", "more\n" + long, "more\n" + long + "\nmore"] {
      let failure = #expect(throws: Failure.self) {
        try reading(text) { reader in
          _ = try reader.holdsRecords()
          _ = try reader.text()
        }
      }
      #expect(failure?.code == .badInput)
    }
  }

  @Test func `text that is not UTF-8 is refused`() throws {
    let pipe = pipe([[0x61, 0x0A, 0xFF, 0xFE]])
    let failure = #expect(throws: Failure.self) {
      var reader = RecordReader(
        LineReader(descriptor: pipe.fileHandleForReading.fileDescriptor))
      _ = try reader.text()
    }
    #expect(failure?.code == .badInput)
  }

  @Test func `lines of text are trimmed and told where they stand`() throws {
    try reading("\n https://a \r\nhttps://b") { reader in
      let first = try reader.nextText()?.get()
      #expect(first?.text == "https://a")
      #expect(first?.source == "<stdin>:2")
      let second = try reader.nextText()?.get()
      #expect(second?.text == "https://b")
      let isEnd = try reader.nextText() == nil
      #expect(isEnd)
    }
  }
}
