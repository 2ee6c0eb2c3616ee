import Core
import Foundation
import HTTP

/// The text of PDF documents, by `pdftotext(1)` of poppler, which is not part of this program.
enum PDFText {
  private static let queue = DispatchQueue(label: "pdf", attributes: .concurrent)

  /// Turns a document into text.
  ///
  /// The command gets an empty environment and the document on its stdin, and is killed after its
  /// time.
  ///
  /// - Parameters:
  ///   - document: The whole of it.
  ///   - seconds: How long it may take.
  ///   - limit: The most bytes of text.
  ///   - url: What failures name.
  /// - Returns: The text, in UTF-8.
  /// - Throws: ``Failure`` with `pageRefused` and kind `unsupportedType` when the command is not
  ///   installed or finds no document, and with `timeout` and kind `tooSlow`.
  static func read(
    _ document: [UInt8], seconds: Double, limit: Int, url: String
  ) async throws(Failure) -> [UInt8] {
    let result: Result<ChildProcess.Result, Failure> = await withCheckedContinuation { waiting in
      queue.async {
        waiting.resume(returning: run(document, seconds: seconds, limit: limit))
      }
    }
    switch result {
    case .success(let result) where result.isLate:
      throw Failure(.timeout, "'\(Failure.shownURL(url))' took too long to read", kind: "tooSlow")
    case .success(let result) where result.status == 0 || !result.output.isEmpty:
      return result.output
    case .success(let result):
      var failure = Failure.unsupportedType("application/pdf", bytes: document.count, url: url)
      failure.cause = "pdftotext ended with status \(result.status)"
      throw failure
    case .failure(var failure):
      guard failure.kind == "noProgram" else { throw failure }
      failure = Failure.unsupportedType("application/pdf", bytes: document.count, url: url)
      failure.explanation += " without 'pdftotext': install poppler-utils"
      throw failure
    }
  }

  private static func run(
    _ document: [UInt8], seconds: Double, limit: Int
  ) -> Result<ChildProcess.Result, Failure> {
    do throws(Failure) {
      return .success(
        try ChildProcess.run(
          ["pdftotext", "-enc", "UTF-8", "-nopgbrk", "-q", "-", "-"], input: document,
          environment: [:], seconds: seconds, maximumOutput: limit))
    } catch {
      return .failure(error)
    }
  }
}
