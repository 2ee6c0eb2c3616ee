public import Core
import Foundation

/// Input from files that a user names.
extension Session {
  /// Returns a reader of the records in the given file.
  ///
  /// If the file is `-` or nil, the reader reads stdin.
  ///
  /// - Throws: `NotFound` if the file cannot be opened.
  public func input(_ file: String?) throws(Failure) -> RecordReader {
    guard let file, file != "-" else { return input() }
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.unreadable(file, .last) }
    return RecordReader(
      LineReader(descriptor: descriptor, name: file, interruption: interruption))
  }

  /// Returns the content of the given file.
  ///
  /// - Parameters:
  ///   - file: The file's path.
  ///   - most: The size limit in bytes.
  /// - Returns: The content.
  /// - Throws: `NotFound` if the file cannot be read; `BadInput` if it is too large.
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
