import Core
import Cryptography
import Foundation

/// A file of secrets, sealed with AES-GCM under a key in a separate file.
///
/// The file protects the secrets in backups and from a glance, but not from a reader of both files.
/// Only the keyring protects against such a reader.
struct SealedFile {
  private struct Content: Codable {
    var version = 1
    /// The nonce, ciphertext and tag of each secret, by the secret's name.
    ///
    /// The seal authenticates the name, too.
    var keys: [String: Data] = [:]
  }

  private let path: String
  private let keyPath: String

  init(_ directories: Directories) {
    path = directories.config + "/keys.sealed"
    keyPath = directories.config + "/seal.key"
  }

  /// Returns the names of the stored secrets, sorted.
  func names() throws(Failure) -> [String] { try content().keys.keys.sorted() }

  /// Returns the secret with the given name; nil if there is none.
  func secret(_ name: String) throws(Failure) -> String? {
    guard let sealed = try content().keys[name] else { return nil }
    guard let key = try sealKey() else {
      throw Failure(
        .permissionDenied, "the key file '\(keyPath)' is missing", kind: .missingKey,
        input: keyPath)
    }
    guard let secret = try Self.open(sealed, name, key) else {
      throw Failure(
        .permissionDenied, "'\(name)' in '\(path)' was not encrypted with '\(keyPath)'",
        kind: .wrongKey, input: path)
    }
    return secret
  }

  private static func open(
    _ sealed: Data, _ name: String, _ key: [UInt8]
  ) throws(Failure) -> String? {
    let secret = try AESGCM.open(sealed, under: key, authenticating: Array(name.utf8))
    return secret.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Stores the given secret under the given name; nil removes the stored secret.
  ///
  /// - Returns: `true` if a secret with that name was stored before.
  /// - Throws: `PermissionDenied` if the existing secrets were sealed under another key;
  ///   `StorageFailed` if the file cannot be written; `ToolFailed` of the kind `library` if libcrypto
  ///   is missing.
  func set(_ name: String, _ secret: String?) throws(Failure) -> Bool {
    let lock = try FileLock.waiting(for: path + ".lock")
    defer { withExtendedLifetime(lock) {} }
    var content = try content()
    let wasThere = content.keys[name] != nil
    if let secret {
      let key = try key(beside: content.keys.filter { $0.key != name }, replacing: wasThere)
      content.keys[name] = try AESGCM.seal(
        Array(secret.utf8), under: key, authenticating: Array(name.utf8))
    } else {
      content.keys[name] = nil
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    guard let bytes = try? encoder.encode(content) else {
      throw Failure(.storageFailed, "cannot write '\(path)'", input: path)
    }
    if wasThere || secret != nil { try PrivateFile.write(Array(bytes), to: path) }
    return wasThere
  }

  private func content() throws(Failure) -> Content {
    guard let bytes = try PrivateFile.read(path) else { return Content() }
    guard let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)),
      content.version == 1
    else {
      throw Failure(.storageFailed, "'\(path)' is not a sealed file", input: path)
    }
    return content
  }

  private func sealKey() throws(Failure) -> [UInt8]? {
    guard let bytes = try PrivateFile.read(keyPath) else { return nil }
    guard bytes.count == 32 else {
      throw Failure(.storageFailed, "'\(keyPath)' is not a key", input: keyPath)
    }
    return bytes
  }

  /// Returns the key that seals the given other secrets; a new key if there are none.
  private func key(
    beside others: [String: Data], replacing wasThere: Bool
  ) throws(Failure) -> [UInt8] {
    let remedy = "restore the original key, or remove the secrets with 'key-store delete'"
    guard let key = try sealKey() else {
      guard others.isEmpty, !wasThere else {
        throw Failure(
          .permissionDenied, "the key file '\(keyPath)' of '\(path)' is missing",
          kind: .missingKey, input: keyPath, nextStep: remedy)
      }
      let key = RandomBytes.make(32)
      try PrivateFile.write(key, to: keyPath)
      return key
    }
    if others.isEmpty { return key }
    for (name, sealed) in others where try Self.open(sealed, name, key) != nil { return key }
    throw Failure(
      .permissionDenied, "'\(path)' was not encrypted with '\(keyPath)'", kind: .wrongKey,
      input: path, nextStep: remedy)
  }
}
