import Core
import Synchronization

/// How many bytes of bodies may be there that have not come whole: who sends many of them slowly takes
/// no more.
final class BodyRoom: Sendable {
  private let taken = Atomic<Int>(0)
  private let most: Int

  /// Room for so many bytes.
  init(most: Int) {
    self.most = most
  }

  /// Takes room for bytes that came.
  ///
  /// - Throws: `Overloaded` where there is none.
  func take(_ count: Int) throws(Failure) {
    guard taken.wrappingAdd(count, ordering: .relaxed).newValue <= most else {
      taken.wrappingSubtract(count, ordering: .relaxed)
      throw Failure(.overloaded, "too many requests are in progress", retryAfterSeconds: 1)
    }
  }

  /// Gives room back.
  func give(_ count: Int) { taken.wrappingSubtract(count, ordering: .relaxed) }
}
