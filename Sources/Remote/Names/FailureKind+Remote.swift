import Core

extension FailureKind {
  /// The peer is not an SSH server.
  static let banner = Self(rawValue: "banner")
  /// The host key differs from the trusted one.
  static let changed = Self(rawValue: "changed")
  /// The host did not open a channel.
  static let channel = Self(rawValue: "channel")
  /// The host ended the connection.
  static let closed = Self(rawValue: "closed")
  /// The connection to the host was lost.
  static let connectionLost = Self(rawValue: "connectionLost")
  /// Input was sent to a view that accepts none.
  static let inputForbidden = Self(rawValue: "inputForbidden")
  /// A jump host did not forward the connection.
  static let jump = Self(rawValue: "jump")
  /// The jump hosts form a loop, or there are too many.
  static let jumpChain = Self(rawValue: "jumpChain")
  /// The host name resolves to no address.
  static let name = Self(rawValue: "name")
  /// The host and this machine have no common algorithm for the key exchange.
  static let negotiation = Self(rawValue: "negotiation")
  /// The file does not exist.
  static let noFile = Self(rawValue: "noFile")
  /// The process has no terminal.
  static let noTerminal = Self(rawValue: "noTerminal")
  /// The host key differs from the key that the user requires.
  static let pinned = Self(rawValue: "pinned")
  /// The host key is revoked.
  static let revoked = Self(rawValue: "revoked")
  /// A host in a tailnet is unreachable.
  static let tailnet = Self(rawValue: "tailnet")
  /// The host key is not recorded yet.
  static let unknown = Self(rawValue: "unknown")
  /// The known_hosts entry for the host cannot be parsed.
  static let unreadableEntry = Self(rawValue: "unreadableEntry")
}
