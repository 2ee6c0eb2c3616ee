import Foundation

/// An independent reading of QR codes, by zbarimg(1).
public enum QRPicture {
  /// Returns the text of a picture.
  ///
  /// - Parameter picture: An image file, in any format that zbarimg reads.
  /// - Returns: The text of its only code; empty if there is none.
  /// - Throws: An error if zbarimg cannot be run.
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

  /// Returns the text of rows of half blocks, as a terminal shows them.
  ///
  /// - Parameter rows: The rows, without escape sequences; shorter rows end in light modules.
  /// - Returns: The text, as ``text(of:)``.
  /// - Throws: The errors of ``text(of:)``.
  public static func text(ofBlocks rows: [String]) throws -> String {
    try text(
      ofModules: rows.flatMap { row in
        [
          row.map { "\u{2588}\u{2580}".contains($0) }, row.map { "\u{2588}\u{2584}".contains($0) },
        ]
      })
  }

  /// Returns the text of rows of `##` and blanks, two characters for each module.
  public static func text(ofASCII rows: [String]) throws -> String {
    try text(
      ofModules: rows.map { row in
        let row = Array(row)
        return stride(from: 0, to: row.count, by: 2).map { row[$0] == "#" }
      })
  }

  /// Returns the text of a bitmap (PBM) with ten pixels for each module, `true` for a dark one.
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
