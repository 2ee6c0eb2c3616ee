public import Core
import Foundation
import NIOCore

/// The rule by which a hub accepts or refuses a request.
///
/// It depends on the host and the origin that the request names. Any web page can make a browser
/// send requests to a hub on the same machine or network. By DNS rebinding, the page can even read
/// the responses. A request must therefore name the hub by an address, by `localhost`, or by a
/// configured name. A request from a page of another origin is refused, whatever token it carries.
public struct AccessRule: Sendable, Hashable {
  /// The names that the hub listens on.
  private let names: Set<String>
  /// The origin of `public_url`, under which companions and browsers reach the hub through a proxy
  /// or tunnel.
  private let publicOrigin: WebOrigin?

  /// Creates the rule for a hub with the given names.
  ///
  /// - Parameters:
  ///   - names: The names on which the hub listens or by which it is reached. A port in them is
  ///     ignored.
  ///   - publicURL: The configured `public_url`. Its host becomes one of the names.
  public init(names: [String] = [], publicURL: String? = nil) {
    self.names = Set(names.compactMap { HostPort($0)?.host }).subtracting([
      "localhost", "0.0.0.0", "::",
    ])
    publicOrigin = publicURL.flatMap(WebOrigin.init(ofURL:))
  }

  /// Returns `true` if the given authority is the hub's own.
  ///
  /// It must be that of `public_url`, or name our end of the connection by its address or by one of
  /// the hub's names. The name `localhost` is accepted only on a loopback connection.
  ///
  /// - Parameters:
  ///   - authority: The host and port that the request names.
  ///   - local: The address of our end of the connection.
  ///   - isSecure: `true` if the connection uses TLS, whose default port is 443.
  /// - Returns: `true` if the authority is the hub's own.
  func isOwn(_ authority: String, on local: SocketAddress?, isSecure: Bool) -> Bool {
    guard let asked = HostPort(authority), let local else { return false }
    if let publicOrigin {
      let isLocal = publicOrigin.host.host == "localhost"
      // Companions contact 127.0.0.1 if a URL says localhost.
      var asked = asked
      if isLocal, asked.host == "127.0.0.1" { asked.host = "localhost" }
      if publicOrigin.isOf(asked) { return !isLocal || local.isLoopback }
    }
    return asked.isEnd(local, isSecure: isSecure)
      || names.contains(asked.host) && asked.port(isSecure: isSecure) == local.port
  }

  private func isName(_ host: String) -> Bool {
    host == "localhost" || names.contains(host) || publicOrigin?.host.host == host
  }

  /// Returns the origin by which a browser reaches the hub: that of `public_url`, or else the given
  /// authority of a request.
  func origin(_ authority: String, isSecure: Bool) -> String {
    publicOrigin?.text ?? "\(isSecure ? "https" : "http")://\(authority)"
  }

  /// Returns `true` if browsers reach the hub over https by the given authority.
  ///
  /// A proxy or a tunnel may encrypt the connection before the hub.
  func isSecure(_ authority: String) -> Bool {
    guard let publicOrigin, let asked = HostPort(authority) else { return false }
    return publicOrigin.scheme == "https" && publicOrigin.isOf(asked)
  }

  /// Checks the host and the origin in the given header fields of a request.
  ///
  /// - Parameters:
  ///   - hosts: All `Host` fields of the request, or its `:authority`.
  ///   - origins: All `Origin` fields of the request.
  ///   - fetchSites: All `Sec-Fetch-Site` fields of the request.
  ///   - admitsLink: `true` to accept a request that opens a document by a link on a page of another
  ///     origin.
  /// - Throws: `BadInput` of kind `misdirected` (421) if the host is not the hub's; `BadInput`
  ///   without a kind (400) if there is not exactly one `Host`; `PermissionDenied` of kind
  ///   `crossOrigin` (403) if a page of another origin sent the request.
  public func judge(
    hosts: [String], origins: [String] = [], fetchSites: [String] = [], admitsLink: Bool = false
  ) throws(Failure) {
    guard hosts.count == 1, let first = hosts.first, !first.isEmpty else {
      throw Failure(.badInput, "a request must have one 'Host' header", status: 400, input: "Host")
    }
    guard let host = HostPort(first), host.isAddress || isName(host.host) else {
      throw Failure(
        .badInput, "this hub is not '\(Visible.line(String(first.prefix(100))))'",
        kind: .misdirected, status: 421, input: "Host")
    }
    let sites = ["same-origin", "none"] + (admitsLink ? ["same-site", "cross-site"] : [])
    for site in fetchSites where !sites.contains(site) {
      throw Self.foreign("Sec-Fetch-Site", site)
    }
    for text in origins {
      guard let origin = WebOrigin(text), origin == publicOrigin || origin.isOf(host) else {
        throw Self.foreign("Origin", text)
      }
    }
  }

  /// Checks that a form was sent by a page of the hub's own.
  ///
  /// The request must have passed ``judge(hosts:origins:fetchSites:admitsLink:)``. A browser states
  /// the site only over a secure connection or loopback; without it, the origin must be stated.
  ///
  /// - Throws: `PermissionDenied` of kind `crossOrigin` (403) if neither field is present.
  func judgeForm(origins: [String], fetchSites: [String]) throws(Failure) {
    guard fetchSites.isEmpty, origins.isEmpty else { return }
    throw Failure(
      .permissionDenied, "a form must be sent by a browser, which states its origin",
      kind: .crossOrigin, status: 403, input: "Origin")
  }

  private static func foreign(_ field: String, _ value: String) -> Failure {
    Failure(
      .permissionDenied,
      "requests from another origin are refused: '\(Visible.line(String(value.prefix(100))))'",
      kind: .crossOrigin, status: 403, input: field)
  }
}

extension HostPort {
  /// Returns `true` if the host and port name our end of a connection.
  ///
  /// `localhost` names a loopback address.
  func isEnd(_ local: SocketAddress, isSecure: Bool) -> Bool {
    port(isSecure: isSecure) == local.port
      && (host == local.plainAddress || host == "localhost" && local.isLoopback)
  }
}
