import Core

/// The name that a host's keys are recorded under.
///
/// Addresses are not looked up: a name alone says whom the user means.
public struct HostIdentity: Sendable, Hashable {
  /// The name in known_hosts, in lower case: `host`, or `[host]:port` for a port that is not 22.
  public let name: String
  /// What a key may stand under as well, though only to be trusted: the host without its port.
  let portless: String?

  /// Names a host.
  ///
  /// - Parameters:
  ///   - host: Its name or address, after `HostName` has been looked up.
  ///   - port: Its port.
  ///   - alias: The name that its keys are recorded under instead, whatever the port
  ///     (`HostKeyAlias`).
  public init(host: String, port: Int = 22, alias: String? = nil) {
    let host = Self.lowercased(alias ?? host)
    let isPlain = alias != nil || port == 22
    name = isPlain ? host : "[\(host)]:\(port)"
    portless = isPlain ? nil : host
  }

  /// Whether a name can be recorded: none that a list would take for several, or for a pattern.
  static func isRecordable(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count < NameList.longestPattern
      && !name.utf8.contains { $0 <= 0x20 || $0 == 0x7F || "@?*#|,!'\"\\".utf8.contains($0) }
  }

  /// The name in lower case, its ASCII letters alone: as OpenSSH has it in any locale.
  static func lowercased(_ name: String) -> String {
    String(decoding: name.utf8.map(\.lowercased), as: UTF8.self)
  }
}
