package import Core
import Foundation
package import Storage
import Synchronization

/// Room on the disk that is kept free while a model answers, so that what was paid for can be committed
/// on a disk that has become full.
///
/// The file has no name from the start: it is gone with the process, however that ends.
package final class Ballast: Sendable {
  /// What a commit takes besides the answer: the pages of the tables that it touches, and their log.
  private static let overhead = 64 << 10

  /// The folder of the store; nil for one of another engine, whose disk is not this machine's.
  private let folder: String?
  /// The file that holds the room, and how much it holds.
  private let held = Mutex<(file: Int32, bytes: Int)?>(nil)

  /// Keeps room in the folder of a store, whose file system the answer will be committed to.
  package init(beside store: Store) {
    folder = (try? store.file).map { ($0.path as NSString).deletingLastPathComponent }
  }

  deinit { release() }

  /// Sets room aside for an answer, unless there is enough already.
  ///
  /// - Parameter tokens: The most tokens that the answer may have.
  /// - Throws: `StorageFailed` when there is none: what would be paid for could not be kept.
  package func reserve(tokens: Int) throws(Failure) {
    guard let folder else { return }
    // A token is some four bytes of text, at most twice as many as JSON, in the log and in the table.
    let bytes = Self.overhead + min(max(tokens, 0), 1 << 20) * 16
    let error = held.withLock { held -> Int32? in
      guard held?.bytes ?? 0 < bytes else { return nil }
      let path = "\(folder)/ballast.\(Identifier.make())"
      let file = held?.file ?? open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
      guard file >= 0 else { return errno }
      // What fails here leaves an empty file behind.
      if held == nil { unlink(path) }
      let result = setAside(bytes, of: file)
      // A file system without room to set aside is used as it is.
      guard result == 0 || result == EOPNOTSUPP || result == EINVAL else {
        close(file)
        held = nil
        return result
      }
      held = (file, bytes)
      return nil
    }
    guard let error else { return }
    throw Failure(
      .storageFailed,
      "cannot reserve space for an answer in '\(folder)': \(String(cString: strerror(error)))",
      input: folder)
  }

  /// Frees the room.
  ///
  /// - Returns: Whether there was any.
  @discardableResult
  package func release() -> Bool {
    held.withLock { held in
      guard let file = held?.file else { return false }
      held = nil
      // Only a descriptor that is none fails to close.
      close(file)
      return true
    }
  }
}
