import Core
import Synchronization

/// The devices that are not let in any more, as they were a moment ago: what is open to one of them
/// ends.
final class Banned: Sendable {
  private let ids = Mutex<Set<String>>([])

  /// Nobody yet.
  init() {}

  /// Sets who is.
  ///
  /// - Returns: Whether that is news.
  func set(_ ids: Set<String>) -> Bool {
    self.ids.withLock { known in
      defer { known = ids }
      return known != ids
    }
  }

  /// Whether a device is.
  func holds(_ device: String?) -> Bool {
    device.map { id in ids.withLock { $0.contains(id) } } ?? false
  }

  /// Why somebody is sent away; nil for who may stay.
  func reason(against visitor: Visitor?) -> Failure? {
    guard let visitor, let id = visitor.deviceId, ids.withLock({ $0.contains(id) }) else {
      return nil
    }
    return .revoked(visitor.name, id: id)
  }
}
