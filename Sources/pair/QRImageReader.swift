import Core
import Foundation
import Processes

/// Reads QR codes in pictures, by zbarimg(1).
enum QRImageReader {
  /// What the one QR code in a picture says.
  ///
  /// - Parameters:
  ///   - path: The picture.
  ///   - environment: The program's environment.
  /// - Returns: Its text.
  /// - Throws: `NotFound`; `ToolFailed` where there is no zbarimg; `BadInput` for a picture without one code.
  static func read(
    _ path: String, environment: ChildEnvironment
  ) throws(Failure) -> String {
    // ImageMagick, which reads it, takes words before a colon for more than a name.
    let whole = URL(fileURLWithPath: path).path
    guard FileManager.default.isReadableFile(atPath: whole) else {
      throw Failure(.notFound, "cannot open '\(Visible.line(path))'", input: path)
    }
    let result: ChildProcess.Result
    do {
      // What it says beside the text is about image libraries and buses.
      result = try ChildProcess.run(
        ["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", "--", whole],
        environment: environment, errors: .nowhere, seconds: 30)
    } catch {
      throw Failure(
        .toolFailed,
        "cannot read '\(path)' without 'zbarimg': install zbar-tools, or pass"
          + " the text of the code with --payload", input: path)
    }
    let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
    guard result.status == 0, lines.count == 1 else {
      throw Failure(
        .badInput,
        lines.count > 1 ? "'\(path)' contains several QR codes" : "'\(path)' contains no QR code",
        input: path)
    }
    return String(lines[0])
  }
}
