/// Host names as they go over the network.
public enum HostName {
  /// A host as libcurl reads it: in lower case, percent-encoding decoded, numbers of any form as four
  /// decimal ones, an international name in punycode (curl_url_get(3), CURLU_PUNYCODE).
  ///
  /// - Parameter host: A name or an IPv4 address; an IPv6 one in its brackets comes back as it is.
  /// - Returns: Nil for what is no host.
  public static func ascii(_ host: some StringProtocol) -> String? {
    guard !host.hasPrefix("[") else { return host.lowercased() }
    guard let ascii = host.utf8.allSatisfy({ $0 < 0x80 }) ? read(host) : inUTF8({ read(host) })
    else { return nil }
    // An international name may spell a number, which is one only now.
    return host.utf8.count == ascii.utf8.count ? ascii : read(ascii)
  }

  private static func read(_ host: some StringProtocol) -> String? {
    guard let name = CurlLibrary.host(ofURL: "http://\(host)/")?.lowercased() else { return nil }
    return !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? name : nil
  }
}
