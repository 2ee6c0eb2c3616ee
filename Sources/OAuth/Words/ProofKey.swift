import Core

/// A proof key for the exchange of a code (PKCE, RFC 7636), with the method S256.
public struct ProofKey: Sendable {
  /// The secret, which only the request for the token carries.
  public let verifier: String
  /// The digest of the secret, which the request for the code carries.
  public var challenge: String {
    SHA256Digest.base64(Array(verifier.utf8)).replacing("+", with: "-").replacing("/", with: "_")
  }

  /// Creates a random key.
  public init() { verifier = Self.random() }

  /// Returns 256 random bits as 64 hexadecimal digits.
  public static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return SHA256Digest.hexadecimal(
      (0..<4).flatMap { _ in
        withUnsafeBytes(of: UInt64.random(in: .min ... .max, using: &generator)) { Array($0) }
      })
  }
}
