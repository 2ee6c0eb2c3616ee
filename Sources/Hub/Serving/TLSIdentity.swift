import Core
import Crypto
import Foundation
import NIOSSL

/// What a hub shows who it is with.
public struct TLSIdentity: Sendable, Hashable {
  /// A PEM file: the hub's certificate, then those that vouch for it.
  public var chain: String
  /// A PEM file: the private key.
  public var key: String

  /// Names the files.
  public init(chain: String, key: String) {
    self.chain = chain
    self.key = key
  }

  /// The SHA-256 of the certificate's SubjectPublicKeyInfo, in base64 (RFC 7469, section 2.4); nil for a
  /// file that holds none.
  var pin: String? {
    let certificate = try? NIOSSLCertificate.fromPEMFile(chain).first
    let key = try? certificate?.extractPublicKey().toSPKIBytes()
    return key.map { Data(SHA256.hash(data: $0)).base64EncodedString() }
  }

  /// What NIOSSL needs.
  ///
  /// - Throws: `KeyUnreadable` that names the file.
  var configuration: TLSConfiguration {
    get throws(Failure) {
      let certificates: [NIOSSLCertificate]
      do {
        certificates = try NIOSSLCertificate.fromPEMFile(chain)
      } catch {
        throw Failure(
          .keyUnreadable, "'\(Visible.line(chain))' holds no certificate", input: chain,
          cause: "\(error)")
      }
      do {
        let key = try NIOSSLPrivateKey(file: key, format: .pem)
        return .makeServerConfiguration(
          certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
      } catch {
        throw Failure(
          .keyUnreadable, "'\(Visible.line(key))' holds no private key", input: key,
          cause: "\(error)")
      }
    }
  }
}
