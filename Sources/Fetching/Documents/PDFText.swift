import Core
import Foundation
import HTTP
import Processes

/// The conversion of PDF documents to text by poppler's program `pdftotext(1)`.
enum PDFText {
  private static let blocking = Blocking("pdf")

  /// Converts the given document to text.
  ///
  /// The command runs with an empty environment, reads the document from stdin, and is killed after
  /// the time limit.
  ///
  /// - Parameters:
  ///   - document: The whole document.
  ///   - seconds: The time limit.
  ///   - limit: The maximum number of bytes of text.
  ///   - url: The URL that failures name.
  /// - Returns: The text, in UTF-8.
  /// - Throws: `PageRefused` of kind `unsupportedType` if the command is not installed or cannot
  ///   read the document; `Timeout` of kind `tooSlow` if it exceeds the time limit.
  static func read(
    _ document: [UInt8], seconds: Double, limit: Int, url: String
  ) async throws(Failure) -> [UInt8] {
    let result: ChildProcess.Result
    do throws(Failure) {
      result = try await blocking.run { () throws(Failure) in
        try ChildProcess.run(
          ["pdftotext", "-enc", "UTF-8", "-nopgbrk", "-q", "-", "-"], input: document,
          environment: [:], seconds: seconds, maximumOutput: limit)
      }
    } catch {
      guard error.kind == .noProgram else { throw error }
      var failure = Failure.unsupportedType("application/pdf", bytes: document.count, url: url)
      failure.explanation += " without 'pdftotext'"
      failure.nextStep = "install poppler-utils"
      throw failure
    }
    guard !result.isLate else {
      throw Failure(.timeout, "'\(Failure.shownURL(url))' took too long to read", kind: .tooSlow)
    }
    guard result.status == 0 || !result.output.isEmpty else {
      var failure = Failure.unsupportedType("application/pdf", bytes: document.count, url: url)
      failure.cause = "pdftotext ended with status \(result.status)"
      throw failure
    }
    return result.output
  }
}
