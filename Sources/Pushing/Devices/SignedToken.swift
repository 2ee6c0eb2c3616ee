import Core
import Crypto
import Foundation

/// Signed tokens by which push services know the sender (JWT, RFC 7519, with ES256 of RFC 7518).
enum SignedToken {
  /// Returns the token with the given header and claims.
  ///
  /// - Throws: `BadInput` if the token cannot be signed.
  static func text(
    _ header: [String: String], _ claims: some Encodable, by key: P256.Signing.PrivateKey
  ) throws(Failure) -> String {
    do {
      let parts = [try RecordJSON.line(of: header), try RecordJSON.line(of: claims)]
      let text = parts.map { Base64URL.text($0) }.joined(separator: ".")
      let signature = try key.signature(for: Data(text.utf8)).rawRepresentation
      return text + "." + Base64URL.text(signature)
    } catch {
      throw Failure(.badInput, "cannot sign a token: \(error)")
    }
  }
}
