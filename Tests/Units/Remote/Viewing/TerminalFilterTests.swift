import Core
import Terminals
import TestSupport
import Testing

@testable import Remote

@Suite("the terminal filter")
struct TerminalFilterTests {
  private func filtered(_ text: String) -> String {
    String(decoding: filtered(Array(text.utf8)), as: UTF8.self)
  }

  private func filtered(_ bytes: [UInt8]) -> [UInt8] {
    var filter = TerminalFilter()
    return filter.filtered(bytes)
  }

  /// The private modes that may be set, and no others.
  private static let modes = [
    1, 25, 69, 1000, 1002, 1003, 1004, 1005, 1006, 2004, 2026,
  ]

  /// Every sequence that passes, in a notation that shares nothing with the filter's.
  ///
  /// Computed, because a regular expression is not to be shared between threads.
  private static var allowed: Regex<AnyRegexOutput>? {
    let number = "[0-9]{0,5}"
    let mode = modes.map(String.init).joined(separator: "|")
    return try? Regex(
      "\u{1B}(?:[DEM=>]|[()][B0]|\\[(?:[0-9;:]*m|[0-2]?[JK]|(?:\(number))?[ABCDEFGIZ`adeX@LMPST]"
        + "|\(number)(?:;\(number))?[Hfrs]|[0-6]? q|32(?:;\(number)){4}\\$x|>4(?:;[0-3]?)?m"
        + "|\\?(?:\(mode))(?:;(?:\(mode)))*[hl]))"
    ).matchingSemantics(.unicodeScalar)
  }

  /// What of bytes that were let through is not known to be harmless: nothing, it is hoped.
  private static func strangers(_ bytes: [UInt8]) throws -> String {
    let text = try #require(String(validating: bytes, as: UTF8.self))
    let rest = text.replacing(try #require(allowed), with: "")
    let controls: Set<UInt32> = [7, 8, 9, 10, 13, 14, 15]
    return String(
      String.UnicodeScalarView(
        rest.unicodeScalars.filter {
          ($0.value < 0x20 || 0x7F...0x9F ~= $0.value) && !controls.contains($0.value)
        }))
  }

  @Test(arguments: [
    "plain text\r\n", "\u{1B}[1;31mred\u{1B}[0m", "\u{1B}[2;50r\u{1B}[H\u{1B}[2J\u{1B}[K\u{1B}[1K",
    "\u{1B}(B\u{1B})0\u{E}qqq\u{F}", "\u{1B}M\u{1B}=\u{1B}>", "\u{1B}[3 q", "é漢🙂\u{A0}\u{FFFD}",
    "\u{1B}[38;2;1;2;3m\u{1B}[4:3m\u{1B}[4::3m\u{1B}[58::2::1::2::3m", "\u{1B}[?2004h\u{1B}[?1006h",
    "\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1003l", "\u{1B}[>4;2m\u{1B}[>4m",
    "\u{1B}[?2026h\u{1B}[?2026l",
    "\u{1B}[?69h\u{1B}[3;9s\u{1B}[s", "\u{1B}[32;1;2;3;4$x", "\u{1B}[12;40H\u{1B}[3A\u{1B}[40G",
    "\u{8}\u{9}\u{7}",
  ])
  func `what draws passes as it is`(text: String) {
    #expect(filtered(text) == text)
  }

  @Test(arguments: [
    // Strings: titles, the clipboard, requests, pictures.
    "\u{1B}]0;title\u{7}", "\u{1B}]52;c;QUJD\u{1B}\\", "\u{1B}P+q544e\u{1B}\\",
    "\u{1B}_Gi=1\u{1B}\\", "\u{1B}^private\u{1B}\\", "\u{1B}kname\u{1B}\\", "\u{1B}X\u{1B}\\",
    "\u{1B}]8;;http://x/\u{1B}\\", "\u{1B}P1$tx\u{1B}\\",
    // What a terminal answers as if it were typed.
    "\u{1B}[c", "\u{1B}[>0c", "\u{1B}[=c", "\u{1B}[6n", "\u{1B}[?6n", "\u{1B}[?996n", "\u{1B}[21t",
    "\u{1B}[?u", "\u{1B}[>q", "\u{1B}[?2026$p", "\u{1B}[x", "\u{1B}[1;1;1;1;1;1*y",
    "\u{1B}[?1;1;0S", "\u{1B}[1$w", "\u{1B}[#|", "\u{1B}[#R", "\u{1B}[&u", "\u{1B}['|",
    "\u{1B}[\"v", "\u{1B}[1'z", "\u{1B}[?62;1\"p", "\u{1B}Z", "\u{5}", "\u{1B}[#S", "\u{1B}[1$u",
    // Media copy.
    "\u{1B}[i", "\u{1B}[5i", "\u{1B}[?5i", "\u{1B}[4i", "\u{1B}[?1i",
    // What stays, or takes more than the screen.
    "\u{1B}[2h", "\u{1B}[4h", "\u{1B}[20h", "\u{1B}[12l", "\u{1B}[?5h", "\u{1B}[?6h", "\u{1B}[?7l",
    "\u{1B}[?9h", "\u{1B}[?2031h", "\u{1B}[?2048h", "\u{1B}[?1049l", "\u{1B}[?1049h", "\u{1B}[?47h",
    "\u{1B}[?3h", "\u{1B}[?1015h", "\u{1B}[?12h", "\u{1B}[>1u", "\u{1B}[=1u", "\u{1B}[<u",
    "\u{1B}[>5;1m", "\u{1B}[>4;4m", "\u{1B}[>m", "\u{1B}[>4n", "\u{1B}c", "\u{1B}[!p", "\u{1B}7",
    "\u{1B}8", "\u{1B}H", "\u{1B}[g", "\u{1B}[3g", "\u{1B}[?5W", "\u{1B}#8", "\u{1B}%@",
    "\u{1B}(A", "\u{1B} G", "\u{1B}n", "\u{1B}~", "\u{1B}l", "\u{1B}[3J", "\u{1B}[8;5;5t",
    "\u{1B}[7 q", "\u{1B}[1\"q", "\u{1B}[1;2;3;4;5T", "\u{1B}[9999999b", "\u{1B}[100000L",
    "\u{1B}[?1;s", "\u{1B}[?r", "\u{1B}[u", "\u{1B}[65;1;2;3;4$x", "\u{1B}[4:3A",
    "\u{1B}[5\u{1B}[i", "\u{1B}\u{1B}c",
  ])
  func `what is not known to be harmless is left out`(text: String) {
    #expect(filtered("a\(text)b") == "ab")
  }

  @Test(arguments: ["\u{1B}[\u{7F}5i", "\u{1B}[\u{0}5i", "\u{1B}[5\u{18}i", "\u{1B}\u{1A}c"])
  func `what is cut off has no beginning`(text: String) {
    let shown = filtered("a\(text)b")
    #expect(shown.utf8.allSatisfy { 0x20...0x7E ~= $0 })
  }

  @Test(arguments: [
    [0x9B, 0x35, 0x69], [0x9D, 0x35, 0x32, 0x9C], [0x90, 0x9C], [0x84], [0x8D], [0xC2, 0x9B, 0x63],
    [0xC2, 0x9D, 0x30, 0xC2, 0x9C], [0xE0, 0x82, 0x9B, 0x63], [0xC0, 0x9B], [0xC1, 0x9B],
    [0xF0, 0x80, 0x82, 0x9B], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80],
    [0xE2, 0x9B], [0xE2, 0x1B, 0x5B, 0x63], [0xC2, 0xC2, 0x9B], [0x1B, 0x9B, 0x63], [0xFF],
    [0x1B, 0x5B, 0x9B, 0x63],
  ])
  func `bytes that are no character, and controls written as one, are left out`(bytes: [UInt8])
    throws
  {
    let shown = filtered([0x61] + bytes + [0x62])
    #expect(shown.first == 0x61 && shown.last == 0x62)
    #expect(shown.allSatisfy { 0x20...0x7E ~= $0 })
  }

  @Test func `each sequence that passes is one of these`() {
    var kinds: Set<String> = []
    let parameters = ["", "0", "1", "2", "4", "5", "4;2", "1;1", "32;1;1;1;1", "1;1;1;1;1;1"]
    for prefix in ["", "<", "=", ">", "?"] {
      for between in [""] + (0x20...0x2F).map({ String(UnicodeScalar(UInt8($0))) }) {
        for final in 0x40...0x7E {
          for parameter in parameters {
            let end = between + String(UnicodeScalar(UInt8(final)))
            if filtered("\u{1B}[\(prefix)\(parameter)\(end)") != "" { kinds.insert(prefix + end) }
          }
        }
      }
    }
    let expected = "A B C D E F G H I J K L M P S T X Z @ ` a d e f m r s $x >m ?h ?l"
    #expect(kinds == Set(expected.split(separator: " ").map(String.init) + [" q"]))
    let modes = (0...9999).filter { filtered("\u{1B}[?\($0)h") != "" }
    #expect(modes == Self.modes)
    let plain = (0...9999).filter { filtered("\u{1B}[\($0)h") + filtered("\u{1B}[\($0)l") != "" }
    #expect(plain.isEmpty)
    #expect(filtered("\u{1B}[?12;25;1049h\u{1B}[?7;12l") == "\u{1B}[?25h")
    var escapes: [String] = []
    for between in [""] + (0x20...0x2F).map({ String(UnicodeScalar(UInt8($0))) }) {
      for final in 0x30...0x7E {
        let end = between + String(UnicodeScalar(UInt8(final)))
        // One that begins a sequence is not yet left out.
        if filtered("\u{1B}\(end)") != "" { escapes.append(end) }
      }
    }
    #expect(escapes == ["=", ">", "D", "E", "M", "(0", "(B", ")0", ")B"])
    let bytes = (UInt8.min...UInt8.max).filter { filtered([$0, 0x61]).count == 2 }
    #expect(bytes == [7, 8, 9, 10, 13, 14, 15] + Array(0x20...0x7E))
  }

  @Test func `every character passes, but for controls`() {
    var text = String.UnicodeScalarView()
    for value in stride(from: UInt32(0xA0), through: 0x10FFFF, by: 13) {
      if let scalar = Unicode.Scalar(value) { text.append(scalar) }
    }
    for value: UInt32 in [0xA0, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF] {
      if let scalar = Unicode.Scalar(value) { text.append(scalar) }
    }
    #expect(filtered(String(text)) == String(text))
    for value: UInt32 in 0x7F...0x9F {
      #expect(filtered(String(UnicodeScalar(value) ?? " ")) == "")
    }
  }

  @Test func `what passes and lasts is what is taken back`() {
    let lasting = [
      "\u{1B}[?1h", "\u{1B}[?25l", "\u{1B}[?1000h", "\u{1B}[?2004h", "\u{1B}[?2026h", "\u{1B}=",
      "\u{1B}(0", "\u{1B})0", "\u{E}", "\u{1B}[2;5r", "\u{1B}[5 q", "\u{1B}[>4;2m", "\u{1B}[1;4:3m",
      "\u{1B}[?69h\u{1B}[3;9s",
    ]
    for text in lasting + Self.modes.map({ "\u{1B}[?\($0)\($0 == 25 ? "l" : "h")" }) {
      #expect(filtered(text) == text)
      var changes = TerminalChanges()
      changes.read(Array(text.utf8))
      #expect(!changes.isEmpty, "\(text.debugDescription)")
      changes.read(changes.restoringAll)
      #expect(changes.isEmpty, "\(text.debugDescription)")
    }
  }

  @Test func `nothing but what is known leaves, however the bytes are cut`() throws {
    var random = SeededRandom(seed: 5)
    let pieces: [[UInt8]] = [
      Array("\u{1B}]0;t\u{7}".utf8), Array("\u{1B}[31m".utf8), Array("é".utf8), [0x1B], [0xC2],
      [0x9B], [0x5B], Array("\u{1B}P".utf8), Array("\u{1B}\\".utf8), [0x18], Array("text".utf8),
      Array("\u{1B}[".utf8), Array("?25".utf8), Array("h".utf8), Array("4;2".utf8), Array(">".utf8),
      Array("5i".utf8), Array("漢🙂".utf8), [0xE2, 0x9B], Array("\u{1B}(".utf8), Array("$w".utf8),
    ]
    for _ in 0..<3000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<20, using: &random) {
        bytes +=
          Int.random(in: 0..<3, using: &random) > 0
          ? pieces[Int.random(in: 0..<pieces.count, using: &random)]
          : [UInt8.random(in: 0...255, using: &random)]
      }
      var cut = TerminalFilter()
      let expected = filtered(bytes)
      var result: [UInt8] = []
      for byte in bytes { result += cut.filtered([byte]) }
      #expect(result == expected)
      #expect(expected.count <= bytes.count)
      #expect(try Self.strangers(expected) == "", "\(bytes)")
    }
  }
}
