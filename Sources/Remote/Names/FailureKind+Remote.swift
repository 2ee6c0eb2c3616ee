import Core

extension FailureKind {
  /// A peer that is not an SSH server.
  static let banner = Self(rawValue: "banner")
  /// A host key that differs from the trusted one.
  static let changed = Self(rawValue: "changed")
  /// A channel that the host did not open.
  static let channel = Self(rawValue: "channel")
  /// A connection that the host ended.
  static let closed = Self(rawValue: "closed")
  /// A lost connection to the host.
  static let connectionLost = Self(rawValue: "connectionLost")
  /// Input to a view that accepts none.
  static let inputForbidden = Self(rawValue: "inputForbidden")
  /// A jump host that did not forward the connection.
  static let jump = Self(rawValue: "jump")
  /// A loop of jump hosts, or too many of them.
  static let jumpChain = Self(rawValue: "jumpChain")
  /// A host name that resolves to no address.
  static let name = Self(rawValue: "name")
  /// A key exchange without a common algorithm.
  static let negotiation = Self(rawValue: "negotiation")
  /// A file that does not exist.
  static let noFile = Self(rawValue: "noFile")
  /// A process without a terminal.
  static let noTerminal = Self(rawValue: "noTerminal")
  /// A host key that differs from the one that the user requires.
  static let pinned = Self(rawValue: "pinned")
  /// A revoked host key.
  static let revoked = Self(rawValue: "revoked")
  /// An unreachable host in a tailnet.
  static let tailnet = Self(rawValue: "tailnet")
  /// A host key that nobody has trusted.
  static let unknown = Self(rawValue: "unknown")
  /// A known_hosts entry for the host that cannot be parsed.
  static let unreadableEntry = Self(rawValue: "unreadableEntry")
}
