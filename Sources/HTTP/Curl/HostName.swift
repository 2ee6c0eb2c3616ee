/// Host names in the form that the network uses.
public enum HostName {
  /// Returns the given host as libcurl reads it, by curl_url_get(3) with CURLU_PUNYCODE.
  ///
  /// The result is in lower case, with percent-encoding decoded. Numbers in any form become a
  /// dotted IPv4 address, and international names are in punycode.
  ///
  /// - Parameter host: A name or an address. An IPv6 address in brackets is only lower-cased.
  /// - Returns: The host, or nil if it is invalid.
  public static func ascii(_ host: some StringProtocol) -> String? {
    guard !host.hasPrefix("[") else { return host.lowercased() }
    guard let ascii = host.utf8.allSatisfy({ $0 < 0x80 }) ? read(host) : inUTF8({ read(host) })
    else { return nil }
    // An international name may contain digits that are recognised as a number only after the
    // conversion.
    return host.utf8.count == ascii.utf8.count ? ascii : read(ascii)
  }

  /// Returns `true` if the given host is `localhost` or a loopback address.
  ///
  /// - Parameter host: A name or an address in any form that ``ascii(_:)`` reads. An IPv6 address
  ///   may be in brackets.
  /// - Returns: `true` for these hosts. For any other name, it is `false`, even if the name
  ///   resolves to such an address.
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
