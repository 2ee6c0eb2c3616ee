import Core
import Foundation
import Processes

/// A reader of QR codes in images, which runs zbarimg(1).
enum QRImageReader {
  /// Returns the text of the only QR code in the given image.
  ///
  /// - Parameters:
  ///   - path: The path of the image.
  ///   - environment: The environment for zbarimg.
  /// - Returns: The text of the code.
  /// - Throws: `NotFound` if there is no such file; `ToolFailed` if zbarimg is not installed;
  ///   `BadInput` if the image does not contain exactly one code.
  static func read(
    _ path: String, environment: ChildEnvironment
  ) throws(Failure) -> String {
    // ImageMagick, which zbarimg uses to open the file, gives words before a colon a special
    // meaning.
    let whole = URL(fileURLWithPath: path).path
    guard FileManager.default.isReadableFile(atPath: whole) else {
      throw Failure(.notFound, "cannot open '\(Visible.line(path))'", input: path)
    }
    let result: ChildProcess.Result
    do {
      // zbarimg's standard error has only messages about image libraries and buses.
      result = try ChildProcess.run(
        ["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", "--", whole],
        environment: environment, errors: .nowhere, seconds: 30)
    } catch {
      throw Failure(
        .toolFailed, "cannot read '\(path)' without 'zbarimg'", input: path,
        nextStep: "install zbar-tools, or pass the text of the code with --payload")
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
