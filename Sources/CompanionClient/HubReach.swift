import Foundation
import HTTP

/// From where a hub of this machine can be reached.
public struct HubReach: Sendable {
  /// Its URLs by the addresses of this machine that others see.
  public var urls: [String] = []
  /// The port that it listens on.
  public var port = 7878
  /// Whether it answers on none of them.
  public var isHereAlone: Bool { urls.isEmpty }

  /// Whether a URL names this machine by loopback's address or name.
  ///
  /// - Parameter url: A URL.
  /// - Returns: Whether it does.
  public static func isHere(_ url: String) -> Bool {
    let host = URLComponents(string: url)?.encodedHost ?? ""
    return host == "localhost" || host.hasPrefix("127.") || host == "[::1]"
  }

  /// Asks a hub at each address of this machine.
  ///
  /// - Parameter peer: The hub, by loopback's address.
  /// - Returns: Where else it is.
  public static func find(_ peer: CompanionPeer) async -> HubReach {
    guard let parts = URLComponents(string: peer.url), let scheme = parts.scheme else {
      return HubReach()
    }
    var reach = HubReach()
    reach.port = parts.port ?? (scheme == "https" ? 443 : 80)
    let client = HTTPClient()
    for address in addresses() {
      let base = "\(scheme)://\(address):\(reach.port)"
      var request = HTTPRequest(
        url: base + "/health", timeouts: HTTPTimeouts(connect: 1, idle: 1, total: 2),
        maximumBodyBytes: 1 << 16)
      request.pinnedKey = peer.pin
      if (try? await client.collect(request)) != nil { reach.urls.append(base) }
    }
    return reach
  }

  /// The addresses of IPv4 of this machine but loopback's, by getifaddrs(3).
  private static func addresses() -> [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: [String] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, Int32(address.pointee.sa_family) == AF_INET else {
        continue
      }
      var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      guard
        getnameinfo(address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
      else { continue }
      let text = String(
        decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if !text.hasPrefix("127."), !found.contains(text) { found.append(text) }
    }
    return found
  }
}
