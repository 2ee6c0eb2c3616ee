import Core
import Foundation
import HTTP

/// A URL that may be requested.
///
/// It has the scheme http or https, a host, no userinfo, and no blocked port. libcurl parses the
/// URL again before it sends the request. The address policy judges the resolved address.
struct PageAddress: Sendable, Hashable {
  /// The URL as it is sent: without a fragment and userinfo, and in ASCII.
  var text: String
  /// The scheme, host and port in lower case.
  ///
  /// The port is included even if it is the default.
  var origin: String
  /// The host's name or address.
  ///
  /// An IPv6 address is in brackets.
  var host: String
  /// The port; if the URL names none, the default port of its scheme.
  var port: UInt16
  /// The path and the query.
  var path: String
  /// The value of `Authorization` for the URL's userinfo; nil if the URL had none.
  var authorization: String?

  /// `true` if the URL is requested over TLS.
  var isSecure: Bool { text.hasPrefix("https:") }

  private static let maximumLength = 8192

  /// Creates an address from the given absolute URL.
  ///
  /// A user name and a password before the host are refused. If they are allowed, only
  /// ``authorization`` contains them.
  ///
  /// - Throws: A ``Failure`` of kind `badURL` if the URL is invalid or has userinfo that is not
  ///   allowed; of kind `blockedScheme` or `blockedPort` if the scheme or the port is not allowed.
  init(_ url: String, allowsUserinfo: Bool = false) throws(Failure) {
    guard url.utf8.count <= Self.maximumLength else {
      throw Self.bad(url, "it is longer than \(Self.maximumLength) bytes")
    }
    guard !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == 0x5C }) else {
      throw Self.bad(url, "it contains a space, a control character or a backslash")
    }
    guard let scheme = Self.scheme(of: url) else { throw Self.bad(url, "it has no scheme") }
    guard scheme == "http" || scheme == "https" else {
      throw Failure(
        .pageRefused, "the scheme '\(scheme.prefix(64))' is neither http nor https",
        kind: .blockedScheme, url: Self.shown(url))
    }
    // The URL is split by bytes, as in libcurl, because Swift joins a delimiter and an accent to
    // one character.
    let rest = url.utf8.dropFirst(scheme.utf8.count + 1)
    guard rest.starts(with: "//".utf8) else { throw Self.bad(url, "it has no host") }
    let whole = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
    let at = whole.lastIndex(of: UInt8(ascii: "@"))
    let authority = at.map { whole[whole.index(after: $0)...] } ?? whole
    if let at {
      authorization = allowsUserinfo ? Self.authorization(Substring(whole[..<at])) : nil
      guard authorization != nil else {
        throw Self.bad(url, "it contains a user name or a password")
      }
    }
    // `http://name:?password@host/` is valid, but its host is `name`.
    guard at != nil || !ShownURL.mayHoldPassword(url) || ShownURL.withoutUserinfo(url) == url else {
      throw Self.bad(url, "it contains a user name or a password")
    }
    let (name, named) = try Self.hostAndPort(Substring(authority), url)
    guard let host = HostName.ascii(name) else {
      try SystemLibrary.curl.require()
      throw Self.bad(url, "its host name is invalid")
    }
    let standard: UInt16 = scheme == "https" ? 443 : 80
    let port = named ?? standard
    guard !BlockedPorts.contains(Int(port)) else {
      throw Failure(
        .pageRefused, "'\(Self.shown(url))' is not fetched: port \(port) is blocked",
        kind: .blockedPort, url: Self.shown(url))
    }
    self.host = host
    self.port = port
    origin = "\(scheme)://\(host):\(port)"
    let tail = Substring(rest[whole.endIndex...].prefix { $0 != UInt8(ascii: "#") })
    path = Self.encoded(tail.utf8.first == UInt8(ascii: "/") ? tail : "/" + tail)
    text = "\(scheme)://\(host)\(named.map { ":\($0)" } ?? "")\(path)"
  }

  /// Returns the address that the given `Location` field refers to (RFC 3986, section 5).
  ///
  /// It is resolved against this address.
  ///
  /// - Throws: As ``init(_:allowsUserinfo:)``.
  func resolve(_ location: String) throws(Failure) -> PageAddress {
    let bytes = location.utf8.drop { $0 == 0x20 || $0 == 0x09 }
    let reference = String(decoding: bytes, as: UTF8.self)
    guard !reference.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0x5C }),
      reference.utf8.count <= Self.maximumLength
    else { throw Self.bad(text, "it redirects to something that is not a URL") }
    let encoded = reference.replacing(" ", with: "%20")
    if Self.scheme(of: encoded) != nil { return try PageAddress(encoded) }
    guard let base = URL(string: text),
      let url = URL(string: Self.encoded(encoded[...]), relativeTo: base)
    else { throw Self.bad(text, "it redirects to something that is not a URL") }
    return try PageAddress(url.absoluteString)
  }

  private static func scheme(of url: String) -> String? {
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = url[..<colon]
    guard let first = scheme.utf8.first, first.isLetter else { return nil }
    let isScheme = scheme.utf8.allSatisfy {
      $0.isLetter || $0.isDigit || "+-.".utf8.contains($0)
    }
    return isScheme ? scheme.lowercased() : nil
  }

  private static func hostAndPort(
    _ authority: Substring, _ url: String
  ) throws(Failure) -> (host: Substring, port: UInt16?) {
    var host = authority
    var port: UInt16?
    let bytes = authority.utf8
    let afterHost = bytes.lastIndex(of: UInt8(ascii: "]")) ?? bytes.startIndex
    if let colon = bytes[afterHost...].lastIndex(of: UInt8(ascii: ":")) {
      host = authority[..<colon]
      let digits = Substring(bytes[colon...].dropFirst())
      if !digits.isEmpty {
        guard digits.utf8.allSatisfy(\.isDigit), let number = UInt16(digits), number > 0
        else { throw bad(url, "its port is invalid") }
        port = number
      }
    }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    // One dot at the end stands for the root; any other empty label is invalid.
    guard !host.isEmpty, host != ".", !labels.dropLast().contains("") else {
      throw bad(url, "it has no host")
    }
    return (host, port)
  }

  /// Returns the value of `Authorization` for the given userinfo (RFC 7617); nil if the userinfo
  /// cannot be decoded.
  private static func authorization(_ userinfo: Substring) -> String? {
    guard let plain = String(userinfo).removingPercentEncoding, !plain.isEmpty else { return nil }
    let pair = plain.contains(":") ? plain : plain + ":"
    let value = "Basic " + Data(pair.utf8).base64EncodedString()
    Secrets.register(value)
    if let password = plain.split(separator: ":", maxSplits: 1).dropFirst().first {
      Secrets.register(String(password))
    }
    return value
  }

  private static func encoded(_ text: Substring) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return String(text) }
    return text.utf8.reduce(into: "") { result, byte in
      if byte < 0x80 {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  private static func bad(_ url: String, _ reason: String) -> Failure {
    Failure(
      .badInput, "'\(shown(url))' is not a URL to fetch: \(reason)", kind: .badURL,
      url: shown(url))
  }

  /// Returns the given URL on one line of limited length, without a password.
  static func shown(_ url: String) -> String {
    Visible.line(String(ShownURL.withoutUserinfo(url).unicodeScalars.prefix(300)))
  }
}
