import Core

/// The name under which a host's keys are recorded.
///
/// A name is not replaced by its address, because the user trusts the name.
public struct HostIdentity: Sendable, Hashable {
  /// The name in known_hosts, in lower case.
  ///
  /// It is `[host]:port` if the port is not 22, and `host` otherwise.
  public let name: String
  /// The name without its port.
  ///
  /// A key that is recorded under this name may be trusted, but no key is added to it.
  let portless: String?

  /// Creates the identity of a host.
  ///
  /// - Parameters:
  ///   - host: The host's name or address, after `HostName` was applied.
  ///   - port: The host's port.
  ///   - alias: The name under which the keys are recorded instead, for any port (`HostKeyAlias`).
  public init(host: String, port: Int = 22, alias: String? = nil) {
    let host = Self.lowercased(alias ?? host)
    let isPlain = alias != nil || port == 22
    name = isPlain ? host : "[\(host)]:\(port)"
    portless = isPlain ? nil : host
  }

  /// Returns `true` if the given name can be recorded in known_hosts: it is neither a pattern nor a
  /// list.
  static func isRecordable(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count < NameList.longestPattern
      && !name.utf8.contains { $0 <= 0x20 || $0 == 0x7F || "@?*#|,!'\"\\".utf8.contains($0) }
  }

  /// Returns the given name with its ASCII letters in lower case.
  ///
  /// Other letters stay unchanged.
  static func lowercased(_ name: String) -> String {
    String(decoding: name.utf8.map(\.lowercased), as: UTF8.self)
  }
}
