import Core
import Foundation
import HTTP

/// The URLs at which the hub of this machine can be reached.
public struct HubReach: Sendable {
  /// The hub's URLs that name the external addresses of this machine.
  public var urls: [String] = []
  /// The port on which the hub listens.
  public var port = 7878

  /// Returns `true` if the given URL names this machine by a loopback address or name.
  public static func isHere(_ url: String) -> Bool {
    HostName.isLoopback(URLComponents(string: url)?.encodedHost ?? "")
  }

  /// Finds the URLs of the given hub by trying each external address of this machine.
  ///
  /// - Parameter peer: The hub, at its loopback address.
  /// - Returns: The URLs at which the hub responded.
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
      // A proxy must not respond in place of the hub.
      request.addressGuard = { _ in nil }
      guard let answer = try? await client.collect(request), answer.head.status == 200,
        JSONObject(answer.body)?.has("status") ?? false
      else { continue }
      reach.urls.append(base)
    }
    return reach
  }
}
