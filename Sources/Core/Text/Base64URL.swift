public import Foundation

/// Bytes as base64url without padding (RFC 4648, section 5).
public enum Base64URL {
  /// Returns the given bytes as text.
  public static func text(_ bytes: some DataProtocol) -> String {
    String(
      Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .prefix { $0 != "=" })
  }

  /// Returns the bytes of the given text, with or without padding; nil if it is malformed.
  public static func bytes(_ text: String) -> [UInt8]? {
    let bare = text.prefix { $0 != "=" }
    guard bare.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x5F }) else {
      return nil
    }
    let padding = String(repeating: "=", count: (4 - bare.utf8.count % 4) % 4)
    let plain = bare.replacing("-", with: "+").replacing("_", with: "/") + padding
    return Data(base64Encoded: String(plain)).map(Array.init)
  }
}
