import Core
import Cryptography
import Foundation

/// The cookie in which a browser stores its access to the hub's page (RFC 6265).
///
/// Scripts cannot read it, and other sites can only make a browser send it by a link.
struct BrowserCookie: Sendable {
  /// The name of the cookie.
  ///
  /// Over https, the prefix binds the cookie to this host. Without it, hubs on several ports of one
  /// machine share their cookies, so the name has the port.
  let name: String
  private let isSecure: Bool

  /// Creates the cookie of a hub.
  ///
  /// - Parameters:
  ///   - isSecure: `true` if the browser reaches the hub over https.
  ///   - port: The port on which the hub listens.
  init(isSecure: Bool, port: Int?) {
    self.isSecure = isSecure
    name = isSecure ? "__Host-agentpipes" : "agentpipes-\(port ?? 0)"
  }

  /// Returns the value in the given `Cookie` fields; nil if it is missing.
  func value(in fields: [String]) -> String? {
    let pairs = fields.flatMap { $0.split(separator: ";") }.map {
      $0.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
    }
    return pairs.first { $0.count == 2 && $0[0] == name }.map { String($0[1]) }
  }

  /// Returns the `Set-Cookie` field that stores the given token; an empty token removes the cookie.
  ///
  /// Each request extends the access at the hub, so the browser keeps the cookie for as long as
  /// browsers may: 400 days.
  func field(_ token: String) -> String {
    let lifetime = token.isEmpty ? 0 : 400 * 86_400
    return "\(name)=\(token); Path=/; Max-Age=\(lifetime); HttpOnly; SameSite=Lax"
      + (isSecure ? "; Secure" : "")
  }

  /// Returns the token that forms of the browser with the given cookie carry.
  ///
  /// A page of another origin does not know it.
  static func formToken(of token: String) -> String {
    Data(HMACSHA256.code(of: Array("form".utf8), key: Array(token.utf8))).base64EncodedString()
  }

  /// The failure that reports a browser without access.
  static let missing = Failure(
    .authExpired, "this browser is not signed in: open a link from 'pair page'", status: 401)
}
