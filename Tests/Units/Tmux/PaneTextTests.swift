import Core
import Foundation
import TestSupport
import Testing

@testable import Tmux

struct PaneTextTests {
  private func output(_ bytes: some Sequence<UInt8>, pane: String = "%1", lag: Int? = nil)
    -> TmuxOutput
  {
    TmuxOutput(ts: 7, pane: pane, bytes: Array(bytes), lagMs: lag)
  }

  @Test func `a character over two pieces comes whole with the second`() {
    var text = PaneText()
    #expect(
      text.record(output([0x61, 0xC3], lag: 5))
        == TerminalOutput(ts: 7, paneId: "%1", data: "a", lagMs: 5))
    #expect(text.record(output([0xF0, 0x9F], pane: "%2")) == nil)
    #expect(
      text.record(output([0xA9, 0x62], lag: 0)) == TerminalOutput(ts: 7, paneId: "%1", data: "éb"))
    #expect(text.record(output([0x98], pane: "%2")) == nil)
    #expect(
      text.record(output([0x80], pane: "%2")) == TerminalOutput(ts: 7, paneId: "%2", data: "😀"))
    #expect(text.rest(at: 8) == [])
  }

  @Test func `what is no text comes in base64`() {
    var text = PaneText()
    #expect(
      text.record(output([0xFF, 0x61])) == TerminalOutput(ts: 7, paneId: "%1", dataBase64: "/2E="))
    #expect(text.record(output([0xE2, 0x82])) == nil)
    #expect(text.record(output([0x61])) == TerminalOutput(ts: 7, paneId: "%1", dataBase64: "4oJh"))
    #expect(text.record(output([0xE2])) == nil)
    #expect(text.rest(of: "%1", at: 8) == TerminalOutput(ts: 8, paneId: "%1", dataBase64: "4g=="))
    #expect(text.rest(of: "%1", at: 8) == nil)
  }

  @Test func `text stays text and bytes stay bytes however they are cut`() throws {
    var random = SeededRandom(seed: 3)
    for isText in [true, false] {
      for _ in 0..<300 {
        let bytes: [UInt8] =
          isText
          ? Array(
            (0..<30).map { _ in random.one(of: ["a", "é", "漢", "😀", "\n", "\u{0}"], else: "") }
              .joined().utf8)
          : (0..<60).map { _ in UInt8.random(in: 0...255, using: &random) }
        var text = PaneText()
        var records: [TerminalOutput] = []
        var rest = bytes[...]
        while !rest.isEmpty {
          let count = Int.random(in: 1...min(7, rest.count), using: &random)
          if let record = text.record(output(rest.prefix(count))) { records.append(record) }
          rest = rest.dropFirst(count)
        }
        records += text.rest(at: 7)
        let told = try records.flatMap { record -> [UInt8] in
          try #require((record.data == nil) != (record.dataBase64 == nil))
          return record.data.map { Array($0.utf8) }
            ?? Array(Data(base64Encoded: record.dataBase64 ?? "") ?? Data())
        }
        #expect(told == bytes)
        #expect(!isText || records.allSatisfy { $0.dataBase64 == nil })
      }
    }
  }
}
