import CodingAgents
import Core
import Foundation
import TestSupport
import Testing

/// The reading of transcripts that grow.
struct TranscriptTailTests {
  private let home: Home
  private let path: String

  init() throws {
    home = try Home()
    path = try home.file("s.jsonl", "")
  }

  private var file: TranscriptFile { TranscriptFile(path, SessionKey(.claude, "s")) }

  private func line(_ id: String) -> String {
    #"{"type":"assistant","sessionId":"s","message":{"id":"\#(id)","content":[],"usage":{"input_tokens":1}}}"#
      + "\n"
  }

  private func append(_ text: String) throws {
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }

  /// Returns the ids of the calls that the next read delivers; the reader is stored in between.
  private func read(_ tail: inout TranscriptTail) throws -> [String] {
    tail = try JSONDecoder().decode(TranscriptTail.self, from: JSONEncoder().encode(tail))
    var ids: [String] = []
    try tail.read(Interruption()) { entries in
      for entry in entries {
        switch entry.content {
        case .call(let call): ids.append(call.id)
        case .unreadable: ids.append("?")
        default: break
        }
      }
    }
    return ids
  }

  @Test func `a read continues behind the last whole line`() throws {
    var tail = TranscriptTail(file)
    #expect(try read(&tail) == [])
    try append(line("a") + line("b"))
    #expect(try read(&tail) == ["a", "b"])
    #expect(try read(&tail) == [])
    #expect(tail.position?.offset == Int64((line("a") + line("b")).utf8.count))
  }

  @Test func `a first read may begin at the last lines`() throws {
    try append(line("a") + line("b"))
    var tail = TranscriptTail(file)
    var found: [String] = []
    for _ in 0..<2 {
      try tail.read(Interruption(), fromLast: Int64(line("b").utf8.count + 1)) { entries in
        for case .call(let call) in entries.map(\.content) { found.append(call.id) }
      }
      try append(line("c"))
    }
    #expect(found == ["b", "c"])
  }

  @Test func `a line that is half written is read when it is whole`() throws {
    var tail = TranscriptTail(file)
    let whole = line("a")
    for character in whole.dropLast() {
      try append(String(character))
      #expect(try read(&tail) == [])
    }
    try append("\n" + line("b"))
    #expect(try read(&tail) == ["a", "b"])
  }

  @Test func `a file that shrinks or is replaced is read anew`() throws {
    var tail = TranscriptTail(file)
    try append(line("a") + line("b"))
    #expect(try read(&tail) == ["a", "b"])
    try Data(line("c").utf8).write(to: URL(filePath: path))
    #expect(try read(&tail) == ["c"])
    let other = try home.file("other", line("c") + line("d") + line("e"))
    #expect(rename(other, path) == 0)
    #expect(try read(&tail) == ["c", "d", "e"])
  }

  @Test func `a line that is no object is counted, and the rest is read`() throws {
    var tail = TranscriptTail(file)
    try append(line("a") + "{\"type\":\n\u{FFFD}\n\n" + line("b"))
    #expect(try read(&tail) == ["a", "?", "?", "b"])
  }

  @Test func `a missing file, a folder, a pipe and a link are refused`() throws {
    let cases: [(String, FailureCode)] = [
      ("\(home.path)/missing", .notFound), (home.path, .badInput), ("\(home.path)/pipe", .badInput),
      ("\(home.path)/link", .badInput), ("\(home.path)/link.json", .badInput),
    ]
    #expect(mkfifo("\(home.path)/pipe", 0o600) == 0)
    for name in ["link", "link.json"] { #expect(symlink(path, "\(home.path)/\(name)") == 0) }
    for (path, code) in cases {
      var tail = TranscriptTail(TranscriptFile(path, SessionKey(.claude, "s")))
      #expect {
        try tail.read(Interruption()) { _ in }
      } throws: { ($0 as? Failure)?.code == code }
    }
  }

  @Test func `a file that grows all the time does not hold a read`() throws {
    var tail = TranscriptTail(file)
    try append(line("a"))
    var count = 0
    try tail.read(Interruption()) { _ in
      count += 1
      try? append(line("more"))
    }
    #expect(count == 1)
    #expect(try read(&tail) == ["more"])
  }

  @Test func `a read with a limit ends after a line, and the next one continues there`() throws {
    var tail = TranscriptTail(file)
    let padding = String(repeating: " ", count: 300_000)
    for id in ["a", "b", "c"] { try append(padding + line(id)) }
    var counts: [Int] = []
    repeat {
      var count = 0
      try tail.read(Interruption(), atMost: 1) { _ in count += 1 }
      counts.append(count)
    } while tail.isBehind
    #expect(counts == [1, 1, 1])
  }

  @Test func `lines of too many sessions are unreadable`() throws {
    var tail = TranscriptTail(file)
    for number in 0..<150 {
      try append(line("m\(number)").replacing(#""s""#, with: "\"s\(number)\""))
    }
    #expect(try read(&tail) == (0..<100).map { "m\($0)" } + Array(repeating: "?", count: 50))
    try append(line("n").replacing(#""s""#, with: #""s7""#))
    #expect(try read(&tail) == ["n"])
  }

  @Test func `an old transcript of one object is read again when it has grown`() throws {
    let path = try home.file("session-1.json", #"{"sessionId":"g","messages":["#)
    var tail = TranscriptTail(TranscriptFile(path, SessionKey(.gemini, "g")))
    #expect(try read(&tail) == [])
    let message = #"{"id":"a","type":"gemini","tokens":{"input":1,"output":1},"content":"x"}"#
    try Data(#"{"sessionId":"g","messages":[\#(message)]}"#.utf8).write(to: URL(filePath: path))
    #expect(try read(&tail) == ["g a"])
    #expect(try read(&tail) == [])
  }

  @Test func `random cuts of a file give the same entries as one read`() throws {
    var random = SeededRandom(seed: 3)
    let text = Array((0..<50).map { line("m\($0)") }.joined().utf8)
    var tail = TranscriptTail(file)
    var ids: [String] = []
    var place = 0
    while place < text.count {
      let end = min(text.count, place + Int.random(in: 1...400, using: &random))
      try append(String(decoding: text[place..<end], as: UTF8.self))
      place = end
      ids += try read(&tail)
    }
    #expect(ids == (0..<50).map { "m\($0)" })
  }
}
