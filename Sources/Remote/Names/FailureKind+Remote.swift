import Core

extension FailureKind {
  /// What answered is no SSH server.
  static let banner = Self(rawValue: "banner")
  /// The host shows another key than the one that is trusted.
  static let changed = Self(rawValue: "changed")
  /// The host opened no channel.
  static let channel = Self(rawValue: "channel")
  /// The host ended the connection.
  static let closed = Self(rawValue: "closed")
  /// The connection to the host was lost.
  static let connectionLost = Self(rawValue: "connectionLost")
  /// The view takes no input.
  static let inputForbidden = Self(rawValue: "inputForbidden")
  /// The host in between did not let through.
  static let jump = Self(rawValue: "jump")
  /// The hosts in between lead round, or are too many.
  static let jumpChain = Self(rawValue: "jumpChain")
  /// The name of the host has no address.
  static let name = Self(rawValue: "name")
  /// The two have no way to speak in common.
  static let negotiation = Self(rawValue: "negotiation")
  /// There is no such file.
  static let noFile = Self(rawValue: "noFile")
  /// There is no terminal.
  static let noTerminal = Self(rawValue: "noTerminal")
  /// The host's key is another than the one asked for.
  static let pinned = Self(rawValue: "pinned")
  /// The host's key is revoked.
  static let revoked = Self(rawValue: "revoked")
  /// The host is in a tailnet.
  static let tailnet = Self(rawValue: "tailnet")
  /// Nobody has trusted the host's key.
  static let unknown = Self(rawValue: "unknown")
  /// What is known of the host cannot be read.
  static let unreadableEntry = Self(rawValue: "unreadableEntry")
}
