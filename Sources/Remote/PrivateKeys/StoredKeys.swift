public import Core
import Cryptography
import Foundation
public import Keys

/// The Ed25519 keys in the key store.
///
/// The seeds are secrets. The public halves are in files.
public struct StoredKeys: Sendable {
  private let keys: KeyStore
  private let folder: String

  /// The text around the seed in a stored secret.
  ///
  /// A masked secret shows only this text.
  private static let mark = (before: "ed25519:", after: ":seed")

  /// Creates access to the stored keys.
  ///
  /// Their public halves are in the data folder.
  public init(_ keys: KeyStore, _ directories: Directories) {
    self.keys = keys
    folder = directories.data + "/ssh-keys"
  }

  /// Generates a key and stores it under the given name.
  ///
  /// - Throws: `Conflict` if a key of that name exists; the errors of `KeyStore.set`.
  public func generate(_ name: String) throws(Failure) -> KeyRecord {
    try store(Ed25519.makeSeed(), name)
  }

  /// Stores the given key under the given name.
  ///
  /// - Throws: `KeyUnreadable` if it is not an Ed25519 key; the errors of ``generate(_:)``.
  public func add(_ key: PrivateKey, as name: String) throws(Failure) -> KeyRecord {
    try store(try key.seed, name)
  }

  /// The names of all stored keys, sorted.
  public var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".pub") }.map { String($0.dropLast(4)) }.sorted()
  }

  /// Returns the record of the key with the given name.
  ///
  /// - Throws: `NotFound` if there is no such key.
  public func record(_ name: String) throws(Failure) -> KeyRecord {
    let (secret, source) = try secret(name)
    let key = try PrivateKey(seed: try seed(secret, name), name: name)
    return try record(name, secret: secret, from: source, try key.publicKey)
  }

  /// Returns the key with the given name.
  ///
  /// - Throws: `NotFound` if there is no such key; `KeyUnreadable` if the key cannot be parsed.
  public func key(_ name: String) throws(Failure) -> PrivateKey {
    try PrivateKey(seed: try seed(try secret(name).secret, name), name: name)
  }

  /// Removes the key with the given name.
  ///
  /// - Throws: `NotFound` if there is no such key.
  public func remove(_ name: String) throws(Failure) {
    try Self.check(name)
    // If only the public half exists, it is removed, too.
    let wasNamed = unlink(path(name)) == 0
    do throws(Failure) {
      try keys.delete(Self.secretName(name))
    } catch {
      if error.code == .notFound, wasNamed { return }
      throw error.code == .notFound ? Self.absent(name) : error
    }
  }

  // MARK: - Places

  private static func secretName(_ name: String) -> String { "ssh-\(name)" }

  private func path(_ name: String) -> String { "\(folder)/\(name).pub" }

  private static func check(_ name: String) throws(Failure) {
    let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789-_")
    guard (1...32).contains(name.count), name.allSatisfy({ letters.contains($0) }) else {
      throw Failure(
        .badUsage, "'\(Visible.line(name))' is not a key name", input: name,
        nextStep: "use a-z, 0-9, '-' and '_'")
    }
  }

  private static func absent(_ name: String) -> Failure {
    Failure(
      .notFound, "there is no key '\(Visible.line(name))'", input: name,
      nextStep: "run 'tmux-attach key list'")
  }

  private func store(_ seed: [UInt8], _ name: String) throws(Failure) -> KeyRecord {
    try Self.check(name)
    guard try keys.find(Self.secretName(name)) == nil else {
      throw Failure(
        .conflict, "the key '\(Visible.line(name))' already exists", input: name,
        nextStep: "remove it first")
    }
    let key = try PrivateKey(seed: seed, name: name).publicKey
    let secret = Self.mark.before + Data(seed).base64EncodedString() + Self.mark.after
    let source = try keys.set(Self.secretName(name), to: secret)
    try Directories.make(folder)
    try PrivateFile.write(Array((Self.line(key, name) + "\n").utf8), to: path(name))
    return try record(name, secret: secret, from: source, key)
  }

  private func secret(_ name: String) throws(Failure) -> (secret: String, source: KeySource) {
    try Self.check(name)
    guard let found = try keys.find(Self.secretName(name)) else { throw Self.absent(name) }
    return found
  }

  private func seed(_ secret: String, _ name: String) throws(Failure) -> [UInt8] {
    guard secret.hasPrefix(Self.mark.before), secret.hasSuffix(Self.mark.after),
      let seed = Data(
        base64Encoded: String(
          secret.dropFirst(Self.mark.before.count).dropLast(Self.mark.after.count)))
    else {
      throw Failure(.keyUnreadable, "'\(Visible.line(name))' is stored in an unknown format")
    }
    return Array(seed)
  }

  private static func line(_ key: HostKey, _ name: String) -> String {
    "\(key.algorithm) \(key.base64) \(name)"
  }

  private func record(
    _ name: String, secret: String, from source: KeySource, _ key: HostKey
  ) throws(Failure) -> KeyRecord {
    KeyRecord(
      name: name, masked: KeyStore.masked(secret), source: source,
      publicKey: Self.line(key, name), fingerprint: key.fingerprint)
  }
}
