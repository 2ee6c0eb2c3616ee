public import Core
import Foundation

extension AddressPolicy {
  /// Restricts the given request to the addresses that the policy allows, even if a proxy forwards
  /// it.
  ///
  /// - Throws: `PageRefused` of kind `blockedAddress` if a proxy would forward the request to another
  ///   address; `NetworkUnavailable` if the host has no address.
  public func restrict(_ request: inout HTTPRequest) async throws(Failure) {
    request.addressGuard = self.guard
    guard HTTPProxy.isUsed(for: request.url), let parts = URLComponents(string: request.url),
      let host = parts.host,
      let port = UInt16(exactly: parts.port ?? (parts.scheme?.lowercased() == "http" ? 80 : 443))
    else { return }
    for address in try await HostAddresses.find(host, port: port) {
      guard let reason = refusal(address) else { continue }
      throw Failure(blocked: Failure.shownURL(request.url), because: reason)
    }
    request.isTargetJudged = true
  }
}
