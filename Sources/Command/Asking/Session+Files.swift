public import Core
import Foundation

/// Files that a person names.
extension Session {
  /// Records of a file, which may be a pipe; of stdin where that is `-`, or where there is none.
  ///
  /// - Throws: `NotFound` for a file that cannot be opened.
  public func input(_ file: String?) throws(Failure) -> RecordReader {
    guard let file, file != "-" else { return input() }
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.unreadable(file, .last) }
    return RecordReader(
      LineReader(descriptor: descriptor, name: file, interruption: interruption))
  }

  /// The bytes of a file that is read whole.
  ///
  /// - Parameters:
  ///   - file: Its path.
  ///   - most: The most bytes that it may have.
  /// - Returns: The bytes.
  /// - Throws: `NotFound` for one that cannot be read; `BadInput` for one that is too large.
  public static func bytes(
    ofFile file: String, atMost most: Int
  ) throws(Failure) -> [UInt8] {
    do throws(PlainFile.Problem) {
      return try PlainFile(file, atMost: most).bytes
    } catch {
      throw unreadable(file, error)
    }
  }

  private static func unreadable(_ file: String, _ problem: PlainFile.Problem) -> Failure {
    let file = ShownURL.inName(file)
    return Failure(
      problem == .tooLarge ? .badInput : .notFound, "cannot read '\(file)': \(problem.reason)",
      input: file)
  }
}
