import Core
import Keys
import Synchronization

/// A cache of a process's keys, each looked up once, on demand.
final class FoundKeys: Sendable {
  private let keys: KeyStore
  private let found = Mutex<[String: String?]>([:])

  init(_ keys: KeyStore) {
    self.keys = keys
  }

  /// Returns the key with a name, if there is one.
  ///
  /// - Throws: As ``KeyStore/find(_:)``.
  func key(_ name: String) throws(Failure) -> String? {
    if let known = found.withLock({ $0[name] }) { return known }
    // Not under the lock, since a key command may prompt a person; concurrent look-ups give the
    // same key.
    let secret = try keys.find(name)?.secret
    found.withLock { $0[name] = .some(secret) }
    return secret
  }

  /// Returns the note about a key from a login, if there is one.
  func login(_ name: String, token: String) -> LoginNote? { keys.login(name, token: token) }
}
