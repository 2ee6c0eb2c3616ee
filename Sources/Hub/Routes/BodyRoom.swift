import Core
import Synchronization

/// A limit on the bytes of all incomplete request bodies, so that slow clients cannot exhaust
/// memory.
final class BodyRoom: Sendable {
  private let reserved = Atomic<Int>(0)
  private let most: Int

  /// Creates room for at most the given number of bytes.
  init(most: Int) {
    self.most = most
  }

  /// Reserves room for the given number of received bytes.
  ///
  /// - Throws: `Overloaded` if the limit is exceeded.
  func reserve(_ count: Int) throws(Failure) {
    guard reserved.wrappingAdd(count, ordering: .relaxed).newValue <= most else {
      reserved.wrappingSubtract(count, ordering: .relaxed)
      throw Failure(.overloaded, "too many requests are in progress", retryAfterSeconds: 1)
    }
  }

  /// Releases room for the given number of bytes.
  func release(_ count: Int) { reserved.wrappingSubtract(count, ordering: .relaxed) }
}
