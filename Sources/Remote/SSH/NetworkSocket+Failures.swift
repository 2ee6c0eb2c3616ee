import Core
import Foundation

extension NetworkSocket {
  /// Returns the failure that reports that `subject` did not answer in time.
  static func late(
    _ subject: String, _ limit: TimeLimit, host: String, _ addresses: [Address]
  ) -> Failure {
    unreachable(
      "'\(subject)' did not answer within \(Int(limit.seconds ?? 0)) seconds", kind: .timeout,
      host,
      addresses)
  }

  /// Returns the failure that reports an unreachable host.
  ///
  /// It has a hint if the host is in a tailnet.
  ///
  /// - Parameters:
  ///   - explanation: The message of the failure.
  ///   - kind: The kind of failure if the host is not in a tailnet.
  ///   - host: The host's name for messages.
  ///   - addresses: The addresses of the host.
  /// - Returns: The failure; its kind is `tailnet` for a host in a tailnet.
  static func unreachable(
    _ explanation: String, kind: FailureKind, _ host: String, _ addresses: [Address]
  ) -> Failure {
    let isInTailnet =
      host.lowercased().hasSuffix(".ts.net") || addresses.contains { isTailnet($0) }
    return Failure(
      .sshHostUnreachable, explanation + (isInTailnet ? ": the host is in a tailnet" : ""),
      kind: isInTailnet ? .tailnet : kind, input: host,
      nextStep: isInTailnet ? "check the VPN" : nil)
  }

  /// Returns `true` if the address is in Tailscale's ranges, 100.64.0.0/10 and fd7a:115c:a1e0::/48.
  private static func isTailnet(_ address: Address) -> Bool {
    let bytes = address.bytes
    if address.family == AF_INET, bytes.count >= 8 {
      return bytes[4] == 100 && bytes[5] & 0xC0 == 64
    }
    if address.family == AF_INET6, bytes.count >= 24 {
      return bytes[8..<14].elementsEqual([0xFD, 0x7A, 0x11, 0x5C, 0xA1, 0xE0])
    }
    return false
  }
}
