import Core
import Foundation
import TestSupport
import Testing

@testable import Events
@testable import Tailing

struct SourceTests {
  private static let line = Array(
    #"{"type":"log","message":"\#(String(repeating: "x", count: 60))"}"#.utf8)

  private func long(_ count: Int) -> [UInt8] {
    Array(#"{"type":"log","message":""#.utf8) + [UInt8](repeating: 0x61, count: count - 27)
      + Array(#""}"#.utf8)
  }

  /// Packs bytes as gzip(1) does.
  private func packed(_ bytes: [UInt8]) throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory
    let file = folder.appending(path: "agentpipes-gzip-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["gzip", "-c", file.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let packed = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Array(packed)
  }

  private func unpacked(_ bytes: [UInt8], pieces: Int = 1 << 20) throws -> Outcome {
    let source = Pieces(
      stride(from: 0, to: bytes.count, by: pieces).map {
        Array(bytes[$0..<min($0 + pieces, bytes.count)])
      })
    return try outcome(try GzipSource(source))
  }

  @Test func `long lines come whole, and one over 16 MiB is told and passed`() throws {
    let longest = long(LineReader.maximumLength)
    let over = long(LineReader.maximumLength + 1)
    let lines = [
      Self.line, longest + [0x0D], over, Self.line, over + over, over + [0x0D], long(1 << 20), over,
    ]
    let found = try outcome(lines)
    #expect(found.events == [Self.line, longest, Self.line, long(1 << 20)])
    #expect(found.failures.map(\.input) == [3, 5, 6, 8].map { "<pieces>:\($0)" })
    #expect(Set(found.failures.map(\.explanation)) == ["the line is over 16 MiB"])
  }

  @Test func `blank lines, a byte order mark and carriage returns are no part of events`() throws {
    let bytes =
      [0xEF, 0xBB, 0xBF, 0x0D, 0x0A] + Self.line + [0x0D, 0x0A, 0x20, 0x09, 0x0A] + Self.line
    let found = try outcome(Pieces([bytes]))
    #expect(found == Outcome(events: [Self.line, Self.line]))
    #expect(try outcome(Pieces([[0xEF, 0xBB, 0xBF]])) == Outcome())
    #expect(try outcome(Pieces([])) == Outcome())
  }

  @Test(arguments: [1, 3, 1000, 1 << 20])
  func `packed events are unpacked, however the bytes come`(_ pieces: Int) throws {
    let count = pieces < 10 ? 500 : 40_000
    let text = Array([[UInt8]](repeating: Self.line, count: count).joined(separator: [0x0A]))
    let file = try packed(text + [0x0A])
    #expect(try unpacked(file, pieces: pieces).events.count == count)
    #expect(try unpacked(file + file, pieces: pieces).events.count == 2 * count)
    let padded = try unpacked(file + [0, 0, 0, 0], pieces: pieces)
    #expect(padded.events.count == count)
    #expect(padded.failures == [])
  }

  @Test func `packed bytes that are cut or damaged give what came before, and are told`() throws {
    var random = SeededRandom(seed: 6)
    let lines = (0..<5000).map { _ in Array(#"{"type":"t\#(random.next())"}"#.utf8) }
    let file = try packed(Array(lines.joined(separator: [0x0A])) + [0x0A])
    let cut = try unpacked(Array(file.prefix(file.count / 2)))
    #expect(cut.events == Array(lines.prefix(cut.events.count)))
    #expect(cut.events.count > 1000)
    #expect(
      cut.failures == [Failure(.badInput, "the gzip data ends early", input: "<pieces>")])
    var damaged = file
    damaged[file.count - 6] ^= 0xFF
    let found = try unpacked(damaged)
    #expect(found.events == lines)
    #expect(found.failures.map(\.code) == [.badInput])
    let trailing = try unpacked(file + Array("junk".utf8))
    #expect(trailing.events == lines)
    #expect(trailing.failures.map(\.code) == [.badInput])
  }

  @Test func `random bytes are never fatal`() throws {
    var random = SeededRandom(seed: 7)
    for length in 0..<500 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(try outcome(Pieces([bytes])).events.isEmpty)
      #expect(try unpacked(bytes).events.isEmpty)
      #expect(try unpacked([0x1F, 0x8B, 8, 0] + bytes).events.isEmpty)
    }
  }
}

struct RingTests {
  @Test func `the newest lines stay, in order, within the memory`() {
    var random = SeededRandom(seed: 5)
    for maximum in [1, 3, 50, 1000] {
      let ring = EventRing(maximumCount: maximum, capacity: 600)
      var kept: [[UInt8]] = []
      for number in 1...2000 {
        let line = [UInt8](
          repeating: UInt8.random(in: 0...255, using: &random),
          count: Int.random(in: 0...(random.chance(50) ? 700 : 60), using: &random))
        line.withUnsafeBufferPointer { ring.append($0) }
        kept.append(line)
        if kept.count > maximum { kept.removeFirst() }
        while kept.reduce(0, { $0 + $1.count + 4 }) > 600 { kept.removeFirst() }
        #expect(ring.count == kept.count)
        if maximum == 3 {
          if !kept.isEmpty, random.chance(40) { #expect(ring.removeOldest() == kept.removeFirst()) }
        } else {
          #expect(ring.missingCount == min(number, maximum) - kept.count)
        }
      }
      while !kept.isEmpty { #expect(ring.removeOldest() == kept.removeFirst()) }
      #expect(ring.removeOldest() == nil)
    }
  }
}
