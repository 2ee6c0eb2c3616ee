import Core

/// The name under which a host's keys are recorded.
///
/// Addresses are not resolved: only a name states which host the user means.
public struct HostIdentity: Sendable, Hashable {
  /// The name in known_hosts, in lower case: `host`, or `[host]:port` for a port that is not 22.
  public let name: String
  /// The host without its port, under which a key may also be recorded; it is only used to trust.
  let portless: String?

  /// Creates the identity of a host.
  ///
  /// - Parameters:
  ///   - host: Its name or address, after `HostName` was applied.
  ///   - port: Its port.
  ///   - alias: The name under which its keys are recorded instead, for any port (`HostKeyAlias`).
  public init(host: String, port: Int = 22, alias: String? = nil) {
    let host = Self.lowercased(alias ?? host)
    let isPlain = alias != nil || port == 22
    name = isPlain ? host : "[\(host)]:\(port)"
    portless = isPlain ? nil : host
  }

  /// Returns `true` if a name can be recorded: a list must not read it as several names or as a
  /// pattern.
  static func isRecordable(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count < NameList.longestPattern
      && !name.utf8.contains { $0 <= 0x20 || $0 == 0x7F || "@?*#|,!'\"\\".utf8.contains($0) }
  }

  /// Returns the name with its ASCII letters in lower case, as OpenSSH does in any locale.
  static func lowercased(_ name: String) -> String {
    String(decoding: name.utf8.map(\.lowercased), as: UTF8.self)
  }
}
