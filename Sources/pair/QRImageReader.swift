import Core
import Foundation
import Processes

/// A reader of QR codes in pictures, by zbarimg(1).
enum QRImageReader {
  /// Returns the text of the only QR code in a picture.
  ///
  /// - Parameters:
  ///   - path: The picture.
  ///   - environment: The program's environment.
  /// - Returns: The text of the code.
  /// - Throws: `NotFound`; `ToolFailed` if there is no zbarimg; `BadInput` for a picture without
  ///   exactly one code.
  static func read(
    _ path: String, environment: ChildEnvironment
  ) throws(Failure) -> String {
    // ImageMagick, which opens the picture, interprets words before a colon.
    let whole = URL(fileURLWithPath: path).path
    guard FileManager.default.isReadableFile(atPath: whole) else {
      throw Failure(.notFound, "cannot open '\(Visible.line(path))'", input: path)
    }
    let result: ChildProcess.Result
    do {
      // Its standard error has only messages about image libraries and buses.
      result = try ChildProcess.run(
        ["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", "--", whole],
        environment: environment, errors: .nowhere, seconds: 30)
    } catch {
      throw Failure(
        .toolFailed,
        "there is no 'zbarimg' to read '\(path)' with: install zbar-tools, or give"
          + " what the code says by --payload", input: path)
    }
    let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
    guard result.status == 0, lines.count == 1 else {
      throw Failure(
        .badInput,
        lines.count > 1 ? "'\(path)' shows several QR codes" : "'\(path)' shows no QR code",
        input: path)
    }
    return String(lines[0])
  }
}
