package import Core
import Foundation
package import Storage
import Synchronization

/// Disk space that is reserved while a model answers.
///
/// With it, the paid answer can be committed even if the disk fills up. The file that holds the
/// space is unlinked right after it is created, so it disappears when the process ends.
package final class Ballast: Sendable {
  /// The bytes that a commit needs in addition to the answer: the changed pages, and their log.
  private static let overhead = 64 << 10

  /// The folder of the store; nil if the store is not a local file.
  private let folder: String?
  /// The file that reserves the space, and its size.
  private let held = Mutex<(file: Int32, bytes: Int)?>(nil)

  /// Creates a reservation on the file system of the given store.
  package init(beside store: Store) {
    folder = (try? store.file).map { ($0.path as NSString).deletingLastPathComponent }
  }

  deinit { release() }

  /// Reserves space for an answer of the given length, unless enough space is reserved already.
  ///
  /// - Parameter tokens: The maximum number of tokens in the answer.
  /// - Throws: `StorageFailed` if there is not enough space.
  package func reserve(tokens: Int) throws(Failure) {
    guard let folder else { return }
    // A token is about four bytes of text. JSON at most doubles it, and it is written to the log
    // and to the table.
    let bytes = Self.overhead + min(max(tokens, 0), 1 << 20) * 16
    let error = held.withLock { held -> Int32? in
      guard held?.bytes ?? 0 < bytes else { return nil }
      let path = "\(folder)/ballast.\(Identifier.make())"
      let file = held?.file ?? open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
      guard file >= 0 else { return errno }
      // If the process dies between these two calls, an empty file remains.
      if held == nil { unlink(path) }
      let result = setAside(bytes, of: file)
      // If the file system cannot reserve space, requests are sent without a reservation.
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
      "cannot reserve disk space in '\(folder)' for an answer: \(String(cString: strerror(error)))",
      input: folder)
  }

  /// Frees the space.
  ///
  /// - Returns: `true` if any space was reserved.
  @discardableResult
  package func release() -> Bool {
    held.withLock { held in
      guard let file = held?.file else { return false }
      held = nil
      // close(2) fails only for an invalid descriptor.
      close(file)
      return true
    }
  }
}
