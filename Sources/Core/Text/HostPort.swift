import Foundation

/// A host and a port, as in a `Host` field or a URL's authority (RFC 3986, section 3.2).
public struct HostPort: Sendable, Hashable {
  /// The host: a name in lower case without a final dot, or an address in the form of inet_ntop(3).
  public var host: String
  /// `true` if the host is an address.
  public var isAddress: Bool
  /// The port; nil if none is given.
  public var port: Int?

  /// Parses the given text strictly; returns nil for text that browsers may interpret differently.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count <= 300, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      return nil
    }
    let bytes = String(text)
    let host: Substring
    let rest: Substring
    if bytes.hasPrefix("[") {
      guard let end = bytes.firstIndex(of: "]") else { return nil }
      host = bytes[bytes.index(after: bytes.startIndex)..<end]
      rest = bytes[bytes.index(after: end)...]
      guard let address = Self.address(host, AF_INET6) else { return nil }
      (self.host, isAddress) = (address, true)
    } else {
      let end = bytes.firstIndex(of: ":") ?? bytes.endIndex
      host = bytes[..<end]
      rest = bytes[end...]
      if let address = Self.address(host, AF_INET) {
        (self.host, isAddress) = (address, true)
      } else {
        guard let name = Self.name(host) else { return nil }
        (self.host, isAddress) = (name, false)
      }
    }
    guard !rest.isEmpty else { return }
    // An empty port means the default (RFC 3986, section 3.2.3).
    guard rest.first == ":" else { return nil }
    let digits = rest.dropFirst()
    guard !digits.isEmpty else { return }
    guard digits.utf8.count <= 5, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      let number = Int(digits), (1...65_535).contains(number)
    else { return nil }
    port = number
  }

  /// Returns the port.
  ///
  /// Without one, it is the default port of https or http.
  public func port(isSecure: Bool) -> Int { port ?? (isSecure ? 443 : 80) }

  private static func name(_ host: Substring) -> String? {
    let name = (host.hasSuffix(".") ? host.dropLast() : host).lowercased()
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    let isName = labels.allSatisfy { label in
      !label.isEmpty && label.utf8.count <= 63
        && label.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-_".utf8.contains($0) }
    }
    // A browser would read a name that ends in a number as an IPv4 address.
    guard isName, let last = labels.last, !last.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      !last.hasPrefix("0x")
    else { return nil }
    return name
  }

  /// Returns the canonical form of the given address (inet_pton(3), inet_ntop(3)).
  private static func address(_ text: Substring, _ family: Int32) -> String? {
    // Both families fit.
    var address = [UInt8](repeating: 0, count: 16)
    guard inet_pton(family, String(text), &address) == 1 else { return nil }
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(family, &address, &buffer, socklen_t(buffer.count)) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
