/// Host names in the form used on the network.
public enum HostName {
  /// Returns a host as libcurl reads it (curl_url_get(3), CURLU_PUNYCODE).
  ///
  /// The result is in lower case, with percent-encoding decoded, numbers of any form as a dotted
  /// IPv4 address, and an international name in punycode.
  ///
  /// - Parameter host: A name or an IPv4 address; an IPv6 address in brackets is only lower-cased.
  /// - Returns: The host, or nil if it is invalid.
  public static func ascii(_ host: some StringProtocol) -> String? {
    guard !host.hasPrefix("[") else { return host.lowercased() }
    guard let ascii = host.utf8.allSatisfy({ $0 < 0x80 }) ? read(host) : inUTF8({ read(host) })
    else { return nil }
    // An international name may spell a number, which is recognised only after conversion.
    return host.utf8.count == ascii.utf8.count ? ascii : read(ascii)
  }

  /// Returns `true` if a host's text alone identifies this machine: `localhost`, or a loopback
  /// address.
  ///
  /// - Parameter host: A name or an address in any form that ``ascii(_:)`` reads; an IPv6 address
  ///   may be in brackets.
  /// - Returns: `false` for every other name, whatever it resolves to.
  public static func isLoopback(_ host: some StringProtocol) -> Bool {
    let isBare = host.contains(":") && !host.hasPrefix("[")
    let name = isBare ? host.lowercased() : ascii(host) ?? ""
    let plain =
      name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
    if plain == "localhost" { return true }
    return SocketAddress(text: plain, port: 0).flatMap { AddressKind(of: $0.bytes) } == .loopback
  }

  private static func read(_ host: some StringProtocol) -> String? {
    guard let name = CurlLibrary.host(ofURL: "http://\(host)/")?.lowercased() else { return nil }
    return !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? name : nil
  }
}
