import Core
import HTTP

/// A URL that a server named, or that of a resource: https, or http to this machine.
struct ServerURL: Sendable, Hashable, CustomStringConvertible {
  private static let longest = 2048

  /// The URL as it was written.
  let description: String
  /// The host in lower case, without brackets and port.
  let host: String
  /// The port.
  let port: UInt16
  /// The scheme, the host and the port; a default port is left out.
  let origin: String
  /// The path without a slash at its end; empty for the root.
  let path: String
  /// The query with its question mark; empty if there is none.
  let query: String

  /// Parses the given URL; returns nil if it is no URL, is too long, has userinfo or a fragment, or
  /// goes to another machine without TLS.
  init?(_ text: String) {
    let colon = text.utf8.prefix(6).firstIndex(of: UInt8(ascii: ":")) ?? text.startIndex
    let scheme = text[..<colon].lowercased()
    guard text.utf8.count <= Self.longest, ["https", "http"].contains(scheme),
      text[colon...].hasPrefix("://"),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\\#\"<>^`{|}".utf8.contains($0) })
    else { return nil }
    let rest = text[colon...].dropFirst(3)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }.lowercased()
    guard let place = Self.place(authority) else { return nil }
    let isSecure = scheme == "https"
    guard let port = place.port.map({ UInt16($0) }) ?? (isSecure ? 443 : 80), port > 0,
      isSecure || Self.isLoopback(place.host)
    else { return nil }
    let target = rest.dropFirst(authority.count)
    let path = target.prefix { $0 != "?" }
    (description, host, self.port) = (text, place.host, port)
    let name = place.host.contains(":") ? "[\(place.host)]" : place.host
    origin = "\(scheme)://\(name)" + (port == (isSecure ? 443 : 80) ? "" : ":\(port)")
    self.path = String(path.hasSuffix("/") ? path.dropLast() : path)
    query = String(target.dropFirst(path.count))
  }

  /// The URL without its query, which may contain secrets.
  var shown: String { Failure.shownURL(description) }

  /// `true` if the host is this machine or is written as an address that is not public.
  var isPrivate: Bool {
    Self.isName(ofThisMachine: host)
      || SocketAddress(text: host, port: port).flatMap { AddressKind(of: $0.bytes) } != nil
  }

  /// Returns `true` if this resource is the given one, or contains it by its path.
  func covers(_ other: ServerURL) -> Bool {
    guard origin == other.origin, query.isEmpty || self.query == other.query else { return false }
    return path == other.path || other.path.hasPrefix(path + "/")
  }

  /// Splits an authority, `host:port` or `[address]:port`; returns nil if it is malformed or has
  /// userinfo.
  private static func place(_ authority: String) -> (host: String, port: String?)? {
    let isBracketed = authority.hasPrefix("[")
    let host =
      isBracketed ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
    let rest = authority.dropFirst(host.utf8.count + (isBracketed ? 2 : 0))
    let isClosed = !isBracketed || authority.dropFirst(host.utf8.count + 1).hasPrefix("]")
    let isHost = host.utf8.allSatisfy {
      $0.isLetter || $0.isDigit || (isBracketed ? ":." : "-._").utf8.contains($0)
    }
    guard isHost, isClosed, !host.isEmpty, rest.isEmpty || rest.hasPrefix(":"),
      rest.dropFirst().utf8.allSatisfy({ $0.isDigit })
    else { return nil }
    return (String(host), rest.count > 1 ? String(rest.dropFirst()) : nil)
  }

  private static func isLoopback(_ host: String) -> Bool {
    guard let address = SocketAddress(text: host, port: 0) else {
      return isName(ofThisMachine: host)
    }
    return AddressKind(of: address.bytes) == .loopback
  }

  private static func isName(ofThisMachine host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost")
  }
}
