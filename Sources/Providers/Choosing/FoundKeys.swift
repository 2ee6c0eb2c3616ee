import Core
import Keys
import Synchronization

/// The keys of a process, each looked up when it is needed, once.
final class FoundKeys: Sendable {
  private let keys: KeyStore
  private let found = Mutex<[String: String?]>([:])

  init(_ keys: KeyStore) {
    self.keys = keys
  }

  /// The key of that name, if there is one.
  ///
  /// - Throws: As ``KeyStore/find(_:)``.
  func key(_ name: String) throws(Failure) -> String? {
    if let known = found.withLock({ $0[name] }) { return known }
    // Not under the lock: a key command may ask a person. Two that ask at once find the same.
    let secret = try keys.find(name)?.secret
    found.withLock { $0[name] = .some(secret) }
    return secret
  }

  /// What is known of a key that a login gave.
  func login(_ name: String, token: String) -> LoginNote? { keys.login(name, token: token) }
}
