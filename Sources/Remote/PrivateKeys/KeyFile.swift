import Core
import Foundation

/// A private key's file as OpenSSH writes it, not yet decrypted.
struct KeyFile {
  /// The most bytes that a key's file has.
  private static let maximumBytes = 1 << 16

  /// Its path.
  let path: String
  /// Its text, with the line ends of Unix.
  let text: String

  /// Reads a file, which others than its owner must not be able to read.
  ///
  /// - Throws: `KeyUnreadable` that says why.
  init(_ path: String) throws(Failure) {
    self.path = path
    let file: PlainFile
    do throws(PlainFile.Problem) {
      file = try PlainFile(path, atMost: Self.maximumBytes)
    } catch {
      switch error {
      case .missing, .system:
        throw PrivateKey.unreadable(path, error.reason.lowercased(), kind: .noFile)
      case .notPlain: throw PrivateKey.unreadable(path, "it is not a regular file")
      case .tooLarge: throw PrivateKey.unreadable(path, "it is too long for a key")
      case .unsafe: throw PrivateKey.unreadable(path, error.reason, kind: .unsafeMode)
      }
    }
    guard let text = String(validating: file.bytes, as: UTF8.self) else {
      throw PrivateKey.unreadable(path, "it is not text")
    }
    let lines = text.replacingOccurrences(of: "\r\n", with: "\n")
    guard lines.contains("-----BEGIN ") else {
      let isPublic = ["ssh-", "ecdsa-", "sk-"].contains { lines.hasPrefix($0) }
      throw PrivateKey.unreadable(
        path,
        isPublic ? "it is a public key: use the file without '.pub'" : "it contains no private key")
    }
    guard file.isOurs(closedFor: 0o077, orRoot: true) else {
      throw PrivateKey.unreadable(
        path, "it must belong to you and be readable by you alone (chmod 600)", kind: .unsafeMode)
    }
    self.text = lines
  }

  /// Whether a passphrase is needed.
  var isEncrypted: Bool { OpenSSHKeyFile.isEncrypted(text) }

  /// The public half, from the file or from the one beside it; nil where neither has it.
  var publicKey: HostKey? {
    OpenSSHKeyFile.publicKey(text) ?? Self.publicKey(inFile: path + ".pub")
  }

  /// The key of a file with a public half, such as `id_rsa.pub`; nil for any other.
  static func publicKey(inFile path: String) -> HostKey? {
    guard let bytes = try? PlainFile(path, atMost: maximumBytes).bytes else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    return words.count > 1 ? HostKey(base64: words[1].utf8) : nil
  }
}
