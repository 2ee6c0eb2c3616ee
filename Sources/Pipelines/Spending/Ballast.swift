package import Core
import Foundation
import Synchronization

/// Room on the disk that is kept free while a model answers, so that what was paid for can be committed
/// on a disk that has become full.
///
/// The file has no name from the start: it is gone with the process, however that ends.
package final class Ballast: Sendable {
  /// What a commit takes besides the answer: the pages of the tables that it touches, and their log.
  private static let overhead = 64 << 10

  private let folder: String
  private let bytes: Int
  private let descriptor = Mutex<Int32?>(nil)

  /// Keeps room for an answer in a folder.
  ///
  /// - Parameters:
  ///   - folder: One of the file system that the answer will be committed to.
  ///   - tokens: The most tokens that the answer may have.
  package init(folder: String, tokens: Int) {
    self.folder = folder
    // A token is some four bytes of text, at most twice as many as JSON, in the log and in the table.
    bytes = Self.overhead + min(max(tokens, 0), 1 << 20) * 16
  }

  deinit { release() }

  /// Sets the room aside, unless it is already.
  ///
  /// - Throws: `StorageFailed` when there is none: what would be paid for could not be kept.
  package func reserve() throws(Failure) {
    let error = descriptor.withLock { descriptor -> Int32? in
      guard descriptor == nil else { return nil }
      let path = "\(folder)/ballast.\(Identifier.make())"
      let file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
      guard file >= 0 else { return errno }
      // What fails here leaves an empty file behind.
      unlink(path)
      let result = setAside(bytes, of: file)
      // A file system without room to set aside is used as it is.
      guard result == 0 || result == EOPNOTSUPP || result == EINVAL else {
        close(file)
        return result
      }
      descriptor = file
      return nil
    }
    guard let error else { return }
    throw Failure(
      .storageFailed,
      "cannot keep room for an answer in '\(folder)': \(String(cString: strerror(error)))",
      input: folder)
  }

  /// Frees the room.
  ///
  /// - Returns: Whether there was any.
  @discardableResult
  package func release() -> Bool {
    descriptor.withLock { descriptor in
      guard let file = descriptor else { return false }
      descriptor = nil
      // Only a descriptor that is none fails to close.
      close(file)
      return true
    }
  }
}
