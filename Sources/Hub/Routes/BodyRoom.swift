import Core
import Synchronization

/// A limit on the total bytes of all incomplete request bodies.
///
/// It prevents slow clients from exhausting the memory.
final class BodyRoom: Sendable {
  private let reserved = Atomic<Int>(0)
  private let most: Int

  /// Creates a limit of the given number of bytes.
  init(most: Int) {
    self.most = most
  }

  /// Reserves the given number of received bytes.
  ///
  /// - Throws: `Overloaded` if the limit is exceeded.
  func reserve(_ count: Int) throws(Failure) {
    guard reserved.wrappingAdd(count, ordering: .relaxed).newValue <= most else {
      reserved.wrappingSubtract(count, ordering: .relaxed)
      throw Failure(.overloaded, "too many requests are in progress", retryAfterSeconds: 1)
    }
  }

  /// Releases the given number of reserved bytes.
  func release(_ count: Int) { reserved.wrappingSubtract(count, ordering: .relaxed) }
}
