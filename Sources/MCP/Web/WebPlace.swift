import Core
import Foundation
package import HTTP
package import OAuth

/// The address of a server, and the fields and the login that its requests carry.
package struct WebPlace: Sendable {
  /// The server's name, as failures mention it: `mcp:NAME`.
  package var name: String
  /// The URL of the server's endpoint.
  package var url: String
  /// The user's own fields, which never replace those of the protocol.
  package var fields: [HTTPField]
  /// The login; nil if there is none.
  package var access: OAuthAccess?

  /// Creates a place.
  package init(name: String, url: String, fields: [HTTPField] = [], access: OAuthAccess? = nil) {
    (self.name, self.url, self.fields, self.access) = (name, url, fields, access)
  }

  /// The names of the fields that only the protocol sets.
  private static let reserved: Set = ["accept", "content-type", "last-event-id"]

  /// The user's fields that may be sent.
  private var ownFields: [HTTPField] {
    fields.filter { field in
      let name = field.name.lowercased()
      return !Self.reserved.contains(name) && !name.hasPrefix("mcp-")
    }
  }

  /// `true` if the user has configured a field `authorization`, which replaces the login.
  var hasOwnAuthorization: Bool { fields.contains { $0.isNamed("authorization") } }

  /// The URL without userinfo, query and fragment.
  var shownURL: String { Failure.shownURL(url) }

  /// Returns a request of the given message.
  ///
  /// The request has no limit of time, because ``Patience`` limits it.
  func post(_ body: [UInt8], _ fields: [HTTPField]) -> HTTPRequest {
    var request = HTTPRequest(url: url, method: "POST", body: body)
    request.fields =
      [
        HTTPField("Accept", "application/json, text/event-stream"),
        HTTPField("Content-Type", "application/json"),
      ] + fields + ownFields
    request.timeouts = HTTPTimeouts(idle: 0, total: 0)
    return request
  }

  /// Returns a request without a body, such as the GET that resumes a stream.
  func request(_ method: String, _ fields: [HTTPField]) -> HTTPRequest {
    var request = HTTPRequest(url: url, method: method)
    request.fields = fields + ownFields
    request.timeouts = HTTPTimeouts(idle: 0, total: 0)
    return request
  }

  /// Returns the address to which the given redirect of a POST leads; nil if it is not followed.
  ///
  /// Only a redirect that keeps the method, and stays at the same origin, is followed.
  func target(of head: HTTPHead, from url: String) -> String? {
    guard [307, 308].contains(head.status), let location = head.value("location"),
      location.utf8.count <= 8192, location.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != 0x5C }),
      let base = URL(string: url), let target = URL(string: location, relativeTo: base),
      Self.origin(of: target) == Self.origin(of: base), target.user == nil
    else { return nil }
    return target.absoluteString
  }

  private static func origin(of url: URL) -> [String]? {
    guard let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased() else {
      return nil
    }
    return [scheme, host, "\(url.port ?? (scheme == "https" ? 443 : 80))"]
  }
}
