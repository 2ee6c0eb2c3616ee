import NIOCore
import TestSupport
import Testing

@testable import WebSocket

@Suite struct FrameReaderTests {
  @Test(arguments: [
    ("a reserved bit", Frame(0xC1, "a").bytes, 1002), ("another", Frame(0xA1, "a").bytes, 1002),
    ("the third", Frame(0x91, "a").bytes, 1002),
    ("a reserved opcode", Frame(0x83).bytes, 1002),
    ("a reserved control opcode", Frame(0x8B).bytes, 1002),
    ("a client that does not mask", Frame(0x81, "a", masked: false).bytes, 1002),
    ("a ping of 126 bytes", Frame(0x89, [UInt8](repeating: 0, count: 126)).bytes, 1002),
    ("a ping in fragments", Frame(0x09).bytes, 1002),
    ("nothing to continue", Frame(0x80, "a").bytes, 1002),
    ("a message inside another", Frame(0x01, "a").bytes + Frame(0x81, "b").bytes, 1002),
    ("a Close of one byte", Frame(0x88, [3]).bytes, 1002),
    ("a length of two bytes that needs none", [0x82, 0xFE, 0, 125], 1002),
    ("a length of eight bytes that needs two", [0x82, 0xFF] + Frame.big(65_535), 1002),
    ("2^63 bytes", [0x82, 0xFF] + Frame.big(1 << 63), 1009),
    ("2^64 - 1 bytes", [0x82, 0xFF] + Frame.big(.max), 1009),
    ("16 MiB", [0x82, 0xFF] + Frame.big(16 << 20), 1009),
    ("a byte too many", [0x82, 0xFF] + Frame.big(1 << 20 + 1), 1009),
    ("a Close whose reason is no text", Frame(0x88, [3, 232, 0xFF]).bytes, 1007),
  ])
  func `What breaks a rule has its code`(name: String, bytes: [UInt8], code: Int) {
    #expect(reading([bytes]) == ["\(code)"], "\(name)")
    // At the byte that is wrong, too: nothing is waited for.
    #expect(reading(bytes.map { [$0] }) == ["\(code)"], "\(name)")
  }

  @Test func `A server does not mask`() {
    #expect(reading([Frame(0x81, "a").bytes], ofClient: false) == ["1002"])
    #expect(reading([Frame(0x81, "a", masked: false).bytes], ofClient: false) == ["text a"])
  }

  @Test func `The first byte of a frame is judged before the second is there`() {
    #expect(reading([[0xC1]]) == ["1002"])
    #expect(reading([[0x81, 0x01]]) == ["1002"])
    #expect(reading([[0x81]]) == [])
  }

  @Test(
    arguments: [
      0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535,
    ] as [UInt16])
  func `A code that may not be sent breaks a rule`(code: UInt16) {
    #expect(reading([Frame(closing: code, "x").bytes]) == ["1002"])
  }

  @Test(arguments: [1000, 1003, 1007, 1011, 1014, 3000, 4408, 4999] as [UInt16])
  func `A code that may be sent is told`(code: UInt16) {
    #expect(reading([Frame(closing: code, "x").bytes]) == ["close \(code) x"])
  }

  @Test func `A Close without a code is one`() {
    #expect(reading([Frame(0x88).bytes]) == ["close - "])
  }

  @Test(
    arguments: [
      [0xFF], [0xC0, 0x80], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0x61, 0x80], [0xC3, 0x28], [0xF8, 0x88, 0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func `A text that is not UTF-8 ends at the byte that is wrong`(wrong: [UInt8]) {
    #expect(reading([Frame(0x81, wrong).bytes]) == ["1007"])
    // The frame goes on, and nobody waits for the rest of it.
    var cut = Frame(0x01, wrong + [UInt8](repeating: 0x61, count: 200)).bytes
    cut.removeLast(200)
    #expect(reading([cut]) == ["1007"])
    for place in 1..<max(2, wrong.count) {
      let fragments =
        Frame(0x01, Array(wrong[..<place])).bytes + Frame(0x80, Array(wrong[place...])).bytes
      #expect(reading([fragments]) == ["1007"])
    }
  }

  @Test func `A character that is cut by the end of a message is no text`() {
    #expect(reading([Frame(0x81, [0xE2, 0x82]).bytes]) == ["1007"])
    #expect(reading([Frame(0x01, [0xE2]).bytes + Frame(0x80, [0x82]).bytes]) == ["1007"])
    #expect(reading([Frame(0x01, [0xE2]).bytes + Frame(0x80, [0x82, 0xAC]).bytes]) == ["text €"])
    #expect(reading([Frame(0x82, [0xE2, 0x82]).bytes]) == ["binary [226, 130]"])
  }

  @Test func `All fragments together have the limit`() {
    let part = Frame(0x02, [UInt8](repeating: 7, count: 400)).bytes
    let more = Frame(0x00, [UInt8](repeating: 7, count: 400)).bytes
    #expect(reading([part + more + more], limit: 1000) == ["1009"])
    // Its header is enough.
    #expect(reading([part + more + more.prefix(4)], limit: 1000) == ["1009"])
    let ping = Frame(0x89, "still there?").bytes
    #expect(
      reading(
        [part + ping + more + Frame(0x80, [UInt8](repeating: 7, count: 200)).bytes], limit: 1000)
        == ["ping still there?", "binary \([UInt8](repeating: 7, count: 1000))"])
  }

  @Test func `However bytes are cut, the messages are the same`() {
    let text = "täglich €5 𝄞 " + String(repeating: "x", count: 130)
    let bytes =
      Frame(0x81, text).bytes + Frame(0x01, "ge").bytes + Frame(0x89, "ping").bytes
      + Frame(0x00, "teilt ").bytes + Frame(0x8A).bytes + Frame(0x80, "ü").bytes
      + Frame(0x82, [0, 255]).bytes + Frame(0x81).bytes + Frame(closing: 1001, "fort").bytes
    let whole = [
      "text \(text)", "ping ping", "pong ", "text geteilt ü", "binary [0, 255]", "text ",
      "close 1001 fort",
    ]
    #expect(reading([bytes]) == whole)
    #expect(reading(bytes.map { [$0] }) == whole)
    for place in 1..<bytes.count {
      #expect(reading([Array(bytes[..<place]), Array(bytes[place...])]) == whole)
    }
  }

  @Test func `A mask is taken off wherever a frame is cut`() {
    var random = SeededRandom(seed: 6455)
    for size in [0, 1, 3, 7, 8, 9, 31, 64, 125, 126, 1000, 65_535, 65_536] {
      let payload = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
      var frame = Frame(0x82, payload)
      frame.key = (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }
      var rest = frame.bytes[...]
      var parts: [[UInt8]] = []
      while !rest.isEmpty {
        let count = Int.random(in: 1...max(1, size / 3), using: &random)
        parts.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(reading(parts) == ["binary \(payload)"])
    }
  }

  @Test func `Random bytes crash nothing and hold nothing`() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...40, using: &random)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      // Most would end at their first bits.
      if count > 1, random.chance(2) { bytes[0] &= 0x8F }
      if count > 1, random.chance(2) { bytes[1] |= 0x80 }
      let told = reading([bytes], limit: 100)
      #expect(told == reading(bytes.map { [$0] }, limit: 100))
    }
  }

  @Test func `What we write is what is read`() {
    for size in [0, 1, 125, 126, 65_535, 65_536] {
      let text = String(repeating: "a", count: size)
      var output = ByteBuffer()
      WebSocketConnection.appendTextFrame(text.utf8, to: &output)
      #expect(Array(output.readableBytesView) == Frame(0x81, text, masked: false).bytes)
      #expect(reading([Array(output.readableBytesView)], ofClient: false) == ["text \(text)"])
    }
  }
}
