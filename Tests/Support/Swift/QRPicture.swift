import Foundation

/// What an independent reader, zbarimg(1), makes of a QR code.
public enum QRPicture {
  /// What a picture says.
  ///
  /// - Parameter picture: A file of an image, in any format that zbarimg reads.
  /// - Returns: The text of its one code; empty where it finds none.
  /// - Throws: What keeps zbarimg from running.
  public static func text(of picture: [UInt8]) throws -> String {
    let scratch = try Home()
    let path = scratch.path + "/code"
    try Data(picture).write(to: URL(fileURLWithPath: path))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", path]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// What rows of half blocks say, as a terminal shows them.
  ///
  /// - Parameter rows: The rows, without escape codes; those that are shorter end in light.
  /// - Returns: As ``text(of:)``.
  /// - Throws: As ``text(of:)``.
  public static func text(ofBlocks rows: [String]) throws -> String {
    try text(
      ofModules: rows.flatMap { row in
        [
          row.map { "\u{2588}\u{2580}".contains($0) }, row.map { "\u{2588}\u{2584}".contains($0) },
        ]
      })
  }

  /// What rows of `##` and blanks say, two characters for each module.
  public static func text(ofASCII rows: [String]) throws -> String {
    try text(
      ofModules: rows.map { row in
        let row = Array(row)
        return stride(from: 0, to: row.count, by: 2).map { row[$0] == "#" }
      })
  }

  /// A bitmap (PBM) of ten pixels for each module, whose dark ones are true.
  private static func text(ofModules rows: [[Bool]]) throws -> String {
    let width = rows.map(\.count).max() ?? 0
    let lines = rows.flatMap { row in
      let whole = row + [Bool](repeating: false, count: width - row.count)
      let line = whole.map { String(repeating: $0 ? "1 " : "0 ", count: 10) }.joined()
      return [String](repeating: line, count: 10)
    }
    let head = "P1\n\(width * 10) \(rows.count * 10)\n"
    return try text(of: Array((head + lines.joined(separator: "\n")).utf8))
  }
}
