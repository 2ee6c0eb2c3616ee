import Core
import Cryptography
import Foundation
import Pages

/// The cookie in which a browser stores its access to the hub's page (RFC 6265).
///
/// Scripts cannot read it, and other sites can only make a browser send it by a link.
struct BrowserCookie: Sendable {
  /// The name of the cookie.
  ///
  /// Over https, the prefix binds the cookie to this host. Without it, hubs on several ports of one
  /// machine share their cookies, so the name has the port.
  let name: String
  /// `true` if the browser reaches the hub over https.
  let isSecure: Bool
  /// The path of the requests that contain the cookie.
  ///
  /// The prefix of the name requires that it is `/` over https (RFC 6265bis, section 4.1.3.2).
  private var path: String { isSecure ? "/" : HTMLAddress.root }

  /// Creates the cookie of a hub.
  ///
  /// - Parameters:
  ///   - isSecure: `true` if the browser reaches the hub over https.
  ///   - port: The port on which the hub listens.
  init(isSecure: Bool, port: Int?) {
    self.isSecure = isSecure
    name = isSecure ? "__Host-agentpipes" : "agentpipes-\(port ?? 0)"
  }

  /// Returns the distinct values in the given `Cookie` fields, in their order.
  ///
  /// There are several if another port or path of the host set a cookie of the same name.
  func values(in fields: [String]) -> [String] {
    let pairs = fields.flatMap { $0.split(separator: ";") }.map {
      $0.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
    }
    var seen: Set<String> = []
    return pairs.filter { $0.count == 2 && $0[0] == name }.map { String($0[1]) }
      .filter { seen.insert($0).inserted }
  }

  /// Returns the `Set-Cookie` field that stores the given token; an empty token removes the cookie.
  ///
  /// Each request extends the access at the hub, so the browser keeps the cookie for as long as
  /// browsers may: 400 days.
  func field(_ token: String) -> String {
    let lifetime = token.isEmpty ? 0 : 400 * 86_400
    return "\(name)=\(token); Path=\(path); Max-Age=\(lifetime); HttpOnly; SameSite=Lax"
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
    .authExpired, "this browser is not signed in", status: 401,
    nextStep: "open a link from 'pair page'")

  /// The failure that reports a browser of another user of the hub's machine.
  static let foreign = Failure(
    .authExpired,
    "this browser belongs to another user of the hub's machine: without https, the page is for the"
      + " hub's own user alone", status: 401)
}
