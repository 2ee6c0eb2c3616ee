import Core
import Foundation
import NIOSSL

/// The certificate and key with which a hub authenticates itself.
public struct TLSIdentity: Sendable, Hashable {
  /// The path of the PEM file with the hub's certificate, followed by the intermediate
  /// certificates.
  public var chain: String
  /// The path of the PEM file with the private key.
  public var key: String

  /// Creates the identity with the given paths.
  public init(chain: String, key: String) {
    self.chain = chain
    self.key = key
  }

  /// The SHA-256 of the certificate's SubjectPublicKeyInfo in base64 (RFC 7469, section 2.4).
  ///
  /// It is nil if the file contains no certificate.
  var pin: String? {
    let certificate = try? NIOSSLCertificate.fromPEMFile(chain).first
    let key = try? certificate?.extractPublicKey().toSPKIBytes()
    return key.map { Data(SHA256Digest.bytes($0)).base64EncodedString() }
  }

  /// The NIOSSL configuration of a server: TLS 1.2 and newer.
  ///
  /// - Throws: `KeyUnreadable` if a file cannot be read; `PermissionDenied` if others may read the
  ///   key.
  var configuration: TLSConfiguration {
    get throws(Failure) {
      let certificates: [NIOSSLCertificate]
      do {
        certificates = try NIOSSLCertificate.fromPEMFile(chain)
      } catch {
        throw Failure(
          .keyUnreadable, "'\(Visible.line(chain))' contains no certificate", input: chain,
          cause: "\(error)")
      }
      let bytes = try keyBytes()
      do {
        let key = try NIOSSLPrivateKey(bytes: bytes, format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
          certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        return configuration
      } catch {
        throw Failure(
          .keyUnreadable, "'\(Visible.line(key))' contains no private key", input: key,
          cause: "\(error)")
      }
    }
  }

  /// Returns the contents of the private key's file.
  ///
  /// If the file belongs to root, its group may also read it, such as the group `ssl-cert` on
  /// Debian.
  private func keyBytes() throws(Failure) -> [UInt8] {
    let file: PlainFile
    do throws(PlainFile.Problem) {
      file = try PlainFile(key, atMost: 1 << 20)
    } catch {
      throw Failure(
        .keyUnreadable, "cannot read '\(Visible.line(key))': \(error.reason)", input: key)
    }
    let isRoots = file.owner == 0 && UInt32(file.mode) & 0o037 == 0
    guard file.isOurs(closedFor: 0o077) || isRoots else {
      throw Failure(
        .permissionDenied,
        "'\(Visible.line(key))' must belong to you and be readable by you alone (chmod 600)",
        kind: .unsafeMode, input: key)
    }
    return file.bytes
  }
}
