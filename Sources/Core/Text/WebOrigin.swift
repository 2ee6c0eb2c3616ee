import Foundation

/// An origin of the web (RFC 6454): only a scheme, a host and a port.
public struct WebOrigin: Sendable, Hashable {
  /// The scheme: `http` or `https`.
  public let scheme: String
  /// The host and the port.
  public let host: HostPort

  /// The origin as text, such as `https://hub.example.org`.
  public var text: String {
    let isUsual = host.port == (scheme == "https" ? 443 : 80)
    let name = host.host.contains(":") ? "[\(host.host)]" : host.host
    return "\(scheme)://\(name)" + (isUsual ? "" : host.port.map { ":\($0)" } ?? "")
  }

  /// Parses the value of an `Origin` field; returns nil if it is not a single http or https origin.
  public init?(_ text: String) {
    let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()),
      var host = HostPort(parts[1])
    else { return nil }
    scheme = parts[0].lowercased()
    host.port = host.port(isSecure: scheme == "https")
    self.host = host
  }

  /// Creates the origin of the given URL.
  public init?(ofURL url: String) {
    guard let mark = url.range(of: "://") else { return nil }
    let authority = url[mark.upperBound...].prefix { !"/?#".contains($0) }
    self.init(String(url[..<mark.upperBound] + authority))
  }

  /// Returns `true` if the given text is an http or https URL with a valid host and no user.
  public static func isURL(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && WebOrigin(ofURL: text) != nil
  }

  /// Returns `true` if the given `Host` value names this origin.
  public func isOf(_ asked: HostPort) -> Bool {
    host.host == asked.host && host.port == asked.port(isSecure: scheme == "https")
  }
}
