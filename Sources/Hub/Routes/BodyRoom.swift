import Core
import Synchronization

/// The limit of the bytes in bodies that are still incomplete, so that clients that send slowly
/// cannot exhaust memory.
final class BodyRoom: Sendable {
  private let reserved = Atomic<Int>(0)
  private let most: Int

  /// Creates room for a number of bytes.
  init(most: Int) {
    self.most = most
  }

  /// Reserves room for received bytes.
  ///
  /// - Throws: `Overloaded` if the limit is exceeded.
  func reserve(_ count: Int) throws(Failure) {
    guard reserved.wrappingAdd(count, ordering: .relaxed).newValue <= most else {
      reserved.wrappingSubtract(count, ordering: .relaxed)
      throw Failure(.overloaded, "too many requests are in progress", retryAfterSeconds: 1)
    }
  }

  /// Releases room.
  func release(_ count: Int) { reserved.wrappingSubtract(count, ordering: .relaxed) }
}
