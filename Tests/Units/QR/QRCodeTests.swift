import Core
import Foundation
import QR
import TestSupport
import Testing

struct QRCodeTests {
  static let payload =
    #"{"protocol":"copilotforge-pair-v1","code":"123456","token":"AAAAAAAAAAAAAAAAAAAAAA","expiresAt":"2026-02-25T10:00:00.000Z"}"#

  @Test(arguments: QRCode.Level.allCases)
  func `what is encoded is read back, from each form`(level: QRCode.Level) throws {
    let code = try QRCode(Array(Self.payload.utf8), level: level)
    #expect(try Self.read(code.png()) == Self.payload)
    #expect(try Self.read(Self.image(code.ascii(), columns: 2)) == Self.payload)
    let blocks = code.blocks().map { line in
      #expect(line.hasPrefix("\u{1B}[30;107m") && line.hasSuffix("\u{1B}[0m"))
      return String(line.dropFirst("\u{1B}[30;107m".count).dropLast("\u{1B}[0m".count))
    }
    let halves = blocks.flatMap { line in
      [
        String(line.map { "\u{2588}\u{2580}".contains($0) ? "#" : " " }),
        String(line.map { "\u{2588}\u{2584}".contains($0) ? "#" : " " }),
      ]
    }
    #expect(try Self.read(Self.image(halves, columns: 1)) == Self.payload)
  }

  @Test func `the payload of a pairing fits a small terminal`() throws {
    let code = try QRCode(Array(Self.payload.utf8), level: .low)
    let size = QRCode.blocksSize(side: code.side)
    #expect(size.columns <= 80 && size.lines <= 24)
    #expect(code.blocks().count == size.lines)
  }

  @Test func `nothing, and too much, is no code`() {
    #expect(throws: Failure.self) { try QRCode([], level: .low) }
    #expect(throws: Failure.self) {
      try QRCode([UInt8](repeating: 0x41, count: 3000), level: .low)
    }
  }

  /// An image in the portable bitmap format whose dark pixels are `#`, ten for each module.
  private static func image(_ lines: [String], columns: Int) -> [UInt8] {
    let rows = lines.map { line in
      stride(from: 0, to: line.count, by: columns).map { at in
        line[line.index(line.startIndex, offsetBy: at)] == "#" ? "1" : "0"
      }
    }
    let width = rows[0].count
    let pixels = rows.map { row in
      let wide = row.map { String(repeating: $0 + " ", count: 10) }.joined()
      return String(repeating: wide + "\n", count: 10)
    }
    return Array("P1\n\(width * 10) \(rows.count * 10)\n\(pixels.joined())".utf8)
  }

  /// What zbarimg(1) reads in an image.
  private static func read(_ image: [UInt8]) throws -> String {
    let scratch = try Home()
    let path = scratch.path + "/code"
    try Data(image).write(to: URL(fileURLWithPath: path))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
