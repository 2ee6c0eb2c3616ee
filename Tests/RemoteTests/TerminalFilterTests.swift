import TestSupport
import Testing

@testable import Remote

@Suite("the terminal filter")
struct TerminalFilterTests {
  private func filtered(_ text: String) -> String {
    var filter = TerminalFilter()
    return String(decoding: filter.filtered(text.utf8), as: UTF8.self)
  }

  @Test(arguments: [
    "plain text\r\n", "\u{1B}[1;31mred\u{1B}[0m", "\u{1B}[?1049h\u{1B}[2;50r\u{1B}[H\u{1B}[2J",
    "\u{1B}(B\u{1B})0\u{E}qqq\u{F}", "\u{1B}7\u{1B}8\u{1B}M\u{1B}=", "\u{1B}[3 q", "é漢🙂\u{A0}",
    "\u{1B}[38;2;1;2;3m\u{1B}[4:3m", "\u{1B}[?2004h\u{1B}[?1006h",
  ])
  func `what draws passes as it is`(text: String) {
    #expect(filtered(text) == text)
  }

  @Test(arguments: [
    "\u{1B}]0;title\u{7}", "\u{1B}]52;c;QUJD\u{1B}\\", "\u{1B}P+q544e\u{1B}\\",
    "\u{1B}_Gi=1\u{1B}\\",
    "\u{1B}^private\u{1B}\\", "\u{1B}kname\u{1B}\\", "\u{1B}[21t", "\u{1B}[c", "\u{1B}[>0c",
    "\u{1B}[6n", "\u{1B}[?u", "\u{1B}[>q", "\u{1B}[?2026$p", "\u{1B}Z", "\u{5}", "\u{9B}6n",
    "\u{9D}52;c;QUJD\u{9C}",
  ])
  func `what reaches beyond the screen is left out`(text: String) {
    let shown = filtered("a\(text)b")
    #expect(shown.hasPrefix("a"))
    #expect(shown.hasSuffix("b"))
    #expect(!shown.unicodeScalars.contains { $0 == "\u{1B}" || 0x80...0x9F ~= $0.value })
    // What stands in it is a text at most, where an encoded control character began it.
    #expect(text.unicodeScalars.first?.value ?? 0 >= 0x80 || shown == "ab")
  }

  @Test func `bytes are filtered alike however they are cut`() {
    var random = SeededRandom(seed: 5)
    let pieces: [[UInt8]] = [
      Array("\u{1B}]0;t\u{7}".utf8), Array("\u{1B}[31m".utf8), Array("é".utf8), [0x1B], [0xC2],
      [0x9B], [0x5B], Array("\u{1B}P".utf8), Array("\u{1B}\\".utf8), [0x18], Array("text".utf8),
    ]
    for _ in 0..<2000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<20, using: &random) {
        bytes +=
          Bool.random(using: &random)
          ? pieces[Int.random(in: 0..<pieces.count, using: &random)]
          : [UInt8.random(in: 0...255, using: &random)]
      }
      var whole = TerminalFilter()
      var cut = TerminalFilter()
      let expected = whole.filtered(bytes)
      var result: [UInt8] = []
      for byte in bytes { result += cut.filtered([byte]) }
      #expect(result == expected)
      #expect(expected.count <= bytes.count)
      // No string of control gets through, nor a question.
      for (index, byte) in expected.enumerated() where byte == 0x1B && index + 1 < expected.count {
        #expect(!Array("]P_^XkZ".utf8).contains(expected[index + 1]))
      }
    }
  }
}
