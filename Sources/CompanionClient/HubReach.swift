import Core
import Foundation
import HTTP

/// From where a hub of this machine can be reached.
public struct HubReach: Sendable {
  /// Its URLs by the addresses of this machine that others see.
  public var urls: [String] = []
  /// The port that it listens on.
  public var port = 7878

  /// Whether a URL names this machine by loopback's address or name.
  ///
  /// - Parameter url: A URL.
  /// - Returns: Whether it does.
  public static func isHere(_ url: String) -> Bool {
    HostName.isLoopback(URLComponents(string: url)?.encodedHost ?? "")
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
    for address in OwnAddresses.reachable {
      let base = "\(scheme)://\(address):\(reach.port)"
      var request = HTTPRequest(
        url: base + "/health", timeouts: HTTPTimeouts(connect: 1, idle: 1, total: 2),
        maximumBodyBytes: 1 << 16)
      request.pinnedKey = peer.pin
      // No proxy answers for it.
      request.addressGuard = { _ in nil }
      guard let answer = try? await client.collect(request), answer.head.status == 200,
        JSONObject(answer.body)?.has("status") ?? false
      else { continue }
      reach.urls.append(base)
    }
    return reach
  }
}
