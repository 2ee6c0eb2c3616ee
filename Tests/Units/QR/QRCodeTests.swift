import Core
import QR
import TestSupport
import Testing

struct QRCodeTests {
  static let payload =
    #"{"protocol":"copilotforge-pair-v1","code":"123456","token":"AAAAAAAAAAAAAAAAAAAAAA","expiresAt":"2026-02-25T10:00:00.000Z"}"#

  @Test(arguments: QRCode.Level.allCases)
  func `what is encoded is read back, from each form`(level: QRCode.Level) throws {
    let code = try QRCode(Array(Self.payload.utf8), level: level)
    #expect(try QRPicture.text(of: code.png()) == Self.payload)
    #expect(try QRPicture.text(ofASCII: code.ascii()) == Self.payload)
    let blocks = code.blocks().map { line in
      #expect(line.hasPrefix("\u{1B}[30;107m") && line.hasSuffix("\u{1B}[0m"))
      return String(line.dropFirst("\u{1B}[30;107m".count).dropLast("\u{1B}[0m".count))
    }
    #expect(try QRPicture.text(ofBlocks: blocks) == Self.payload)
  }

  @Test func `the payload of a pairing fits a small terminal`() throws {
    let code = try QRCode(Array(Self.payload.utf8), level: .low)
    #expect(code.side + 2 * QRCode.margin <= 80)
    #expect(code.blocks().count <= 24)
  }

  @Test func `nothing, and too much, is no code`() {
    #expect(throws: Failure.self) { try QRCode([], level: .low) }
    #expect(throws: Failure.self) {
      try QRCode([UInt8](repeating: 0x41, count: 3000), level: .low)
    }
  }
}
