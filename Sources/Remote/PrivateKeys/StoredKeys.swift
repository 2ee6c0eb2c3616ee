public import Core
import Foundation
public import Keys

/// Ed25519 keys in the key store: their raw seeds among the secrets, their public halves in files beside.
public struct StoredKeys: Sendable {
  private let keys: KeyStore
  private let folder: String

  /// What a secret begins and ends with, so that nothing of the seed shows where it is masked.
  private static let mark = (before: "ed25519:", after: ":seed")

  /// Keeps public halves below the data folder.
  public init(_ keys: KeyStore, _ directories: Directories) {
    self.keys = keys
    folder = directories.data + "/ssh-keys"
  }

  /// Makes a key and stores it.
  ///
  /// - Throws: `Conflict` where there is one of that name, and as `KeyStore.set`.
  public func generate(_ name: String) throws(Failure) -> KeyRecord {
    try store(Ed25519.makeSeed(), name)
  }

  /// Stores the key of a file.
  ///
  /// - Throws: As ``generate(_:)``, and `KeyUnreadable`.
  public func add(_ key: PrivateKey, as name: String) throws(Failure) -> KeyRecord {
    try store(try key.seed, name)
  }

  /// The names of all keys, in order.
  public var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".pub") }.map { String($0.dropLast(4)) }.sorted()
  }

  /// What there is to tell of a key.
  ///
  /// - Throws: `NotFound`.
  public func record(_ name: String) throws(Failure) -> KeyRecord {
    let (secret, source) = try secret(name)
    let key = try PrivateKey(seed: try seed(secret, name), name: name)
    return try record(name, secret: secret, from: source, try key.publicKey)
  }

  /// A key to be let in with.
  ///
  /// - Throws: `NotFound`, `KeyUnreadable`.
  public func key(_ name: String) throws(Failure) -> PrivateKey {
    try PrivateKey(seed: try seed(try secret(name).secret, name), name: name)
  }

  /// Removes a key.
  ///
  /// - Throws: `NotFound`.
  public func remove(_ name: String) throws(Failure) {
    try Self.check(name)
    // A public half whose secret is gone is removed all the same.
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
        .badUsage, "'\(Visible.line(name))' is not a key name: use a-z, 0-9, '-' and '_'",
        input: name)
    }
  }

  private static func absent(_ name: String) -> Failure {
    Failure(
      .notFound, "there is no key '\(Visible.line(name))': run 'tmux-attach key list'", input: name)
  }

  private func store(_ seed: [UInt8], _ name: String) throws(Failure) -> KeyRecord {
    try Self.check(name)
    guard try keys.find(Self.secretName(name)) == nil else {
      throw Failure(
        .conflict, "the key '\(Visible.line(name))' already exists: remove it first", input: name)
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
