import Foundation
import Processes
import Synchronization
import TestSupport
import Testing

@testable import Core

struct RecordWriterTests {
  private let delta = Delta(model: "m", text: "a/b\n\"é\"")

  @Test func `a record is one line with sorted keys and bare slashes`() throws {
    let pipe = Pipe()
    let writer = RecordWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    try writer.write(delta)
    try pipe.fileHandleForWriting.close()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text == #"{"model":"m","text":"a/b\n\"é\"","type":"delta"}"# + "\n")
  }

  @Test func `a record that is passed on keeps its bytes`() throws {
    let line = #"{ "z":1.0,"type":"other" ,"a":"\u00e9\/"}"#
    let pipe = Pipe()
    let writer = RecordWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    try writer.write(try RawRecord(line: Array(line.utf8)))
    try pipe.fileHandleForWriting.close()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text == line + "\n")
  }

  @Test func `what a terminal would obey in a record is escaped there, and in a pipe it is not`()
    throws
  {
    let hostile = "\u{9B}2J\u{7F}\u{85}\u{202E}\u{2066}\u{200F}\u{61C}\u{E0001}é👩\u{200D}💻"
    let line = Array("{\"type\":\"other\",\"a\":\"\(hostile)\"}".utf8)
    let shown = #"\u009b2J\u007f\u0085\u202e\u2066\u200f\u061c\udb40\udc01é👩\#u{200D}💻"#
    let (ends, pipe) = (try PseudoTerminal(like: -1), Pipe())
    for descriptor in [ends.terminal, pipe.fileHandleForWriting.fileDescriptor] {
      let writer = RecordWriter(descriptor: descriptor)
      try writer.write(try RawRecord(line: line))
      try writer.write(lines: line + [0x0A])
      try writer.write(Delta(model: "m", text: hostile))
    }
    close(ends.terminal)
    try pipe.fileHandleForWriting.close()
    let expected = "{\"type\":\"other\",\"a\":\"TEXT\"}\n"
    let whole = expected + expected + "{\"model\":\"m\",\"text\":\"TEXT\",\"type\":\"delta\"}\n"
    let passed = pipe.fileHandleForReading.readDataToEndOfFile()
    #expect(String(decoding: passed, as: UTF8.self) == whole.replacing("TEXT", with: hostile))
    var screen: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while case let count = read(ends.controller, &bytes, bytes.count), count > 0 {
      screen += bytes[..<count]
    }
    close(ends.controller)
    let seen = String(decoding: screen, as: UTF8.self)
    #expect(seen == whole.replacing("TEXT", with: shown))
    for line in seen.split(separator: "\n") {
      #expect((try? RawRecord(line: Array(line.utf8))) != nil)
    }
  }

  @Test func `a reader that is gone ends the writing quietly, once and for all`() throws {
    // A test process does not ignore the signal by itself.
    signal(SIGPIPE, SIG_IGN)
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let writer = RecordWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    for _ in 0..<2 {
      let failure = #expect(throws: Failure.self) { try writer.write(delta) }
      #expect(failure?.code == .interrupted)
      #expect(failure?.kind == "outputClosed")
      #expect(writer.readerIsGone)
    }
  }

  @Test(.enabled(if: access("/dev/full", W_OK) == 0, "needs /dev/full"))
  func `a full disk is a storage failure`() throws {
    let descriptor = open("/dev/full", O_WRONLY)
    defer { close(descriptor) }
    let writer = RecordWriter(descriptor: descriptor)
    let failure = #expect(throws: Failure.self) { try writer.write(delta) }
    #expect(failure?.code == .storageFailed)
    #expect(!writer.readerIsGone)
  }

  @Test func `a line over the limit is never written`() throws {
    let pipe = Pipe()
    let writer = RecordWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    let long = Delta(model: "m", text: String(repeating: "a", count: LineReader.maximumLength))
    let failure = #expect(throws: Failure.self) { try writer.write(long) }
    #expect(failure?.code == .storageFailed)
    try pipe.fileHandleForWriting.close()
    #expect(pipe.fileHandleForReading.readDataToEndOfFile().isEmpty)
  }

  @Test func `records of many threads come whole, each thread's in its order`() async throws {
    let pipe = Pipe()
    let writer = RecordWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    let padding = String(repeating: "x", count: 5000)
    let reading = Task.detachedReader(pipe)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in 0..<8 {
        group.addTask {
          for number in 0..<50 {
            try writer.write(
              Delta(model: "\(name)", text: padding).with { $0.messageId = "\(number)" })
          }
        }
      }
      try await group.waitForAll()
    }
    try pipe.fileHandleForWriting.close()
    let lines = await reading.value.split(separator: 0x0A)
    var next: [String: Int] = [:]
    for line in lines {
      let delta = try Delta(try RawRecord(line: Array(line)))
      #expect(delta.messageId == "\(next[delta.model, default: 0])")
      next[delta.model, default: 0] += 1
    }
    #expect(lines.count == 400)
  }
}

extension Task where Success == Data, Failure == Never {
  /// Reads a pipe to its end beside the test, so that a writer never waits for the test itself.
  static func detachedReader(_ pipe: Pipe) -> Task<Data, Never> {
    Task {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          continuation.resume(returning: pipe.fileHandleForReading.readDataToEndOfFile())
        }
      }
    }
  }
}
