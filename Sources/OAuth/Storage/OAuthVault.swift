import Core
import Foundation
import Keys

/// The secrets of logins in the key store.
struct OAuthVault: Sendable {
  let keys: KeyStore
  let directories: Directories
  /// The name of the tokens in the key store.
  let keyName: String
  private static let blocking = Blocking("oauth.keys")

  // MARK: Tokens

  /// Returns the stored login; nil if there is none.
  ///
  /// - Throws: `StorageFailed` if the secret is malformed; as `KeyStore.find`.
  func login() async throws(Failure) -> StoredLogin? {
    guard let found: StoredLogin = try await value(keyName) else { return nil }
    found.register()
    return found
  }

  /// Stores the given login.
  ///
  /// - Throws: As `KeyStore.set`.
  func store(_ login: StoredLogin) async throws(Failure) {
    login.register()
    try await store(login, keyName)
  }

  /// Deletes the login, and the registration at its issuer.
  ///
  /// - Throws: `NotFound` if there is none; as `KeyStore.delete`.
  func delete(_ login: StoredLogin?) async throws(Failure) {
    if let login { try await deleteRegistration(login.client.issuer) }
    try await delete(keyName)
  }

  /// Acquires the lock under which one process renews or replaces the tokens.
  ///
  /// - Throws: As `FileLock.forRenewal`.
  func lock(_ peer: String) async throws(Failure) -> FileLock {
    try await FileLock.forRenewal(
      "\(directories.state)/oauth/\(keyName).lock", ofTokensFrom: peer, within: .seconds(60))
  }

  // MARK: Registrations

  /// Returns the stored registration at the given issuer; nil if there is none that is still valid.
  ///
  /// - Throws: As ``login()``.
  func registration(_ issuer: String) async throws(Failure) -> ClientRegistration? {
    guard let found: ClientRegistration = try await value(Self.keyName(issuer)),
      found.issuer == issuer, found.expiresAt.map({ $0 > .now }) ?? true
    else { return nil }
    if let secret = found.secret { Secrets.register(secret) }
    return found
  }

  /// Stores the given registration.
  ///
  /// - Throws: As `KeyStore.set`.
  func store(_ registration: ClientRegistration) async throws(Failure) {
    if let secret = registration.secret { Secrets.register(secret) }
    try await store(registration, Self.keyName(registration.issuer))
  }

  /// Deletes the registration at the given issuer, if there is one.
  ///
  /// - Throws: As `KeyStore.delete`.
  func deleteRegistration(_ issuer: String) async throws(Failure) {
    do throws(Failure) {
      try await delete(Self.keyName(issuer))
    } catch {
      guard error.code == .notFound else { throw error }
    }
  }

  /// Returns the secret of the client whose id the configuration names; nil if it has none.
  ///
  /// - Throws: As `KeyStore.find`.
  func clientSecret() async throws(Failure) -> String? {
    let (keys, name) = (keys, "client-" + keyName)
    return try await Self.blocking.run { () throws(Failure) in try keys.find(name)?.secret }
  }

  private static func keyName(_ issuer: String) -> String {
    "oauth-" + SHA256Digest.hexadecimal(Array(issuer.utf8)).prefix(32)
  }

  // MARK: The key store

  private func value<Value: Codable & Sendable>(_ name: String) async throws(Failure) -> Value? {
    let keys = keys
    let found = try await Self.blocking.run { () throws(Failure) in try keys.find(name)?.secret }
    guard let found else { return nil }
    guard let value = try? JSONDecoder().decode(Value.self, from: Data(found.utf8)) else {
      throw Failure(
        .storageFailed, "the secret '\(name)' is not one of a login", kind: .corrupt, input: name)
    }
    return value
  }

  private func store(_ value: some Encodable, _ name: String) async throws(Failure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(value) else {
      throw Failure(.storageFailed, "cannot store the secret '\(name)'", input: name)
    }
    let (keys, text) = (keys, String(decoding: bytes, as: UTF8.self))
    try await Self.blocking.run { () throws(Failure) in _ = try keys.set(name, to: text) }
  }

  private func delete(_ name: String) async throws(Failure) {
    let keys = keys
    try await Self.blocking.run { () throws(Failure) in _ = try keys.delete(name) }
  }
}
