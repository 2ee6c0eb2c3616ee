public import Core
import Cryptography
import Foundation

/// A private key for logging in.
public final class PrivateKey {
  /// The name for messages: a path, or the name under which the key is stored.
  public let name: String
  /// The libssh key.
  let handle: KeyHandle

  private init(name: String, handle: consuming KeyHandle) {
    self.name = name
    self.handle = handle
  }

  /// Creates a key from the given Ed25519 seed.
  ///
  /// - Parameters:
  ///   - seed: The 32 bytes of the seed (RFC 8032, section 5.1.5).
  ///   - name: The key's name for messages.
  /// - Throws: `KeyUnreadable` if the seed is not valid; `ToolFailed` of the kind `library` if
  ///   libcrypto is missing.
  public convenience init(seed: [UInt8], name: String) throws(Failure) {
    guard let publicKey = try Ed25519.publicKey(seed: seed) else {
      throw Self.unreadable(name, "it is not an Ed25519 key")
    }
    let text = OpenSSHKeyFile.text(seed: seed, publicKey: publicKey)
    self.init(name: name, handle: try Self.parse(text, passphrase: nil, name))
  }

  /// Reads a key file in OpenSSH's format.
  ///
  /// - Parameters:
  ///   - path: The path of the file. Only the file's owner may have permission to read it.
  ///   - passphrase: A closure that returns the passphrase of an encrypted key. It is called at
  ///     most once.
  /// - Throws: `KeyUnreadable` if the key cannot be used; its message states the reason. The errors
  ///   of `passphrase` are rethrown.
  public convenience init(
    path: String, passphrase: () throws(Failure) -> String?
  ) throws(Failure) {
    try self.init(file: try KeyFile(path), passphrase: passphrase)
  }

  /// Creates a key from the given key file.
  ///
  /// - Throws: The errors of ``init(path:passphrase:)``.
  convenience init(
    file: KeyFile, passphrase: () throws(Failure) -> String?
  ) throws(Failure) {
    guard file.isEncrypted else {
      self.init(name: file.path, handle: try Self.parse(file.text, passphrase: nil, file.path))
      return
    }
    guard let passphrase = try passphrase() else {
      throw Self.unreadable(
        file.path, "it is encrypted", nextStep: "give its passphrase with --passphrase-file")
    }
    self.init(name: file.path, handle: try Self.parse(file.text, passphrase: passphrase, file.path))
  }

  /// The public half.
  ///
  /// - Throws: `KeyUnreadable` if the public half is missing or cannot be parsed.
  public var publicKey: HostKey {
    get throws(Failure) {
      guard let text = handle.publicHalf else {
        throw Self.unreadable(name, "it has no public key")
      }
      guard let key = HostKey(base64: text.utf8) else {
        throw Self.unreadable(name, "its public key cannot be read")
      }
      return key
    }
  }

  /// The raw seed of an Ed25519 key.
  ///
  /// - Throws: `KeyUnreadable` if the key has another type.
  public var seed: [UInt8] {
    get throws(Failure) {
      guard handle.isEd25519, let text = handle.privateText else {
        throw Self.unreadable(name, "only Ed25519 keys can be stored")
      }
      guard let seed = OpenSSHKeyFile.seed(text) else {
        throw Self.unreadable(name, "its seed cannot be read")
      }
      return seed
    }
  }

  private static func parse(
    _ text: String, passphrase: String?, _ name: String
  ) throws(Failure) -> KeyHandle {
    try SystemLibrary.ssh.require()
    guard let key = KeyHandle(text: text, passphrase: passphrase) else {
      throw unreadable(
        name,
        passphrase == nil
          ? "it is not a readable private key"
          : "the passphrase is wrong, or the file is broken")
    }
    // From PKCS #8, libssh 0.10 parses the key but cannot sign with it.
    guard !key.isEd25519 || text.contains("OPENSSH PRIVATE KEY") else {
      throw unreadable(
        name, "it is in PKCS #8", nextStep: "convert it with 'ssh-keygen -p -f FILE'")
    }
    return key
  }

  /// Returns the failure that reports that the agent no longer holds the key.
  static func gone(_ name: String) -> Failure {
    unreadable(name, "it is a public key and no ssh-agent has the private one")
  }

  /// Returns the failure that reports that a key cannot be used for the given reason.
  static func unreadable(
    _ name: String, _ why: String, kind: FailureKind? = nil, nextStep: String? = nil
  ) -> Failure {
    Failure(
      .keyUnreadable, "cannot use the key '\(Visible.line(name))': \(why)", kind: kind, input: name,
      nextStep: nextStep)
  }
}
