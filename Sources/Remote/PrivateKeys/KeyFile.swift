import Core
import Foundation

/// A private key file in OpenSSH's format.
///
/// It may be encrypted.
struct KeyFile {
  /// The maximum size of a key file, in bytes.
  private static let maximumBytes = 1 << 16

  /// The path of the file.
  let path: String
  /// The contents of the file, with Unix line ends.
  let text: String

  /// Reads the key file at the given path.
  ///
  /// Only the file's owner may have permission to read it.
  ///
  /// - Throws: `KeyUnreadable` if the file cannot be used; its message states the reason.
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
        path, isPublic ? "it is a public key" : "it contains no private key",
        nextStep: isPublic ? "use the file without '.pub'" : nil)
    }
    guard file.isOurs(closedFor: 0o077, orRoot: true) else {
      throw PrivateKey.unreadable(
        path, "it must belong to you and be readable by you alone (chmod 600)", kind: .unsafeMode)
    }
    self.text = lines
  }

  /// `true` if the key is encrypted with a passphrase.
  var isEncrypted: Bool { OpenSSHKeyFile.isEncrypted(text) }

  /// The public half of the key; nil if it is unknown.
  ///
  /// It is read from the file, or else from the `.pub` file beside it.
  var publicKey: HostKey? {
    OpenSSHKeyFile.publicKey(text) ?? Self.publicKey(inFile: path + ".pub")
  }

  /// Returns the key in a public key file, such as `id_rsa.pub`; nil for any other file.
  static func publicKey(inFile path: String) -> HostKey? {
    guard let bytes = try? PlainFile(path, atMost: maximumBytes).bytes else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    return words.count > 1 ? HostKey(base64: words[1].utf8) : nil
  }
}
