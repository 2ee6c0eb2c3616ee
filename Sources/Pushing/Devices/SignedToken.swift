import Core
import Cryptography
import Foundation

/// Signed tokens by which push services know the sender (JWT, RFC 7519, with ES256 of RFC 7518).
enum SignedToken {
  /// Returns the token with the given header and claims.
  ///
  /// - Throws: `BadInput` if the claims cannot be encoded; `ToolFailed` of the kind `library` if
  ///   libcrypto is missing or fails.
  static func text(
    _ header: [String: String], _ claims: some Encodable, by key: P256PrivateKey
  ) throws(Failure) -> String {
    let text: String
    do {
      let parts = [try RecordJSON.line(of: header), try RecordJSON.line(of: claims)]
      text = parts.map { Base64URL.text($0) }.joined(separator: ".")
    } catch {
      throw Failure(.badInput, "cannot encode a token: \(error)")
    }
    return text + "." + Base64URL.text(try key.signature(of: Array(text.utf8)))
  }
}
