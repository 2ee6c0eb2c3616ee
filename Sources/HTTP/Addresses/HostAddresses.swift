public import Core
import Foundation

/// The lookup of a host's addresses.
///
/// It allows a check of the addresses before a proxy resolves the host's name again.
public enum HostAddresses {
  private static let blocking = Blocking("addresses")

  /// Resolves the given host by getaddrinfo(3) on a separate thread.
  ///
  /// - Parameters:
  ///   - host: A name or a numeric address. An IPv6 address may be in brackets.
  ///   - port: The port of the returned addresses.
  /// - Returns: At least one address.
  /// - Throws: `NetworkUnavailable` of kind `resolve` if the host has no address.
  public static func find(
    _ host: String, port: UInt16
  ) async throws(Failure) -> [SocketAddress] {
    let name =
      host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    let found = await blocking.run { lookUp(name, port) }
    guard !found.isEmpty else {
      throw Failure(
        .networkUnavailable, "cannot find the host '\(host.singleLine(maximumCharacters: 300))'",
        kind: .resolve)
    }
    return found
  }

  private static func lookUp(_ name: String, _ port: UInt16) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = streamSocket
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, String(port), &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var found: [SocketAddress] = []
    var next = list
    while let entry = next {
      if let address = entry.pointee.ai_addr,
        let read = SocketAddress(sockaddr: address, length: Int(entry.pointee.ai_addrlen))
      {
        found.append(read)
      }
      next = entry.pointee.ai_next
    }
    return found
  }
}
