import Core
import Keys
import Synchronization

/// A cache of the keys that this process has looked up.
///
/// Each key is looked up once, when it is first needed.
final class FoundKeys: Sendable {
  private let keys: KeyStore
  private let found = Mutex<[String: String?]>([:])

  init(_ keys: KeyStore) {
    self.keys = keys
  }

  /// Returns the key with the given name; nil if there is none.
  ///
  /// - Throws: As ``KeyStore/find(_:)``.
  func key(_ name: String) throws(Failure) -> String? {
    if let known = found.withLock({ $0[name] }) { return known }
    // The key is looked up outside the lock, because a key command may prompt the user. Concurrent
    // look-ups find the same key.
    let secret = try keys.find(name)?.secret
    found.withLock { $0[name] = .some(secret) }
    return secret
  }

  /// Returns the note that was stored when the given token was obtained by a login; nil if there is
  /// none.
  func login(_ name: String, token: String) -> LoginNote? { keys.login(name, token: token) }
}
