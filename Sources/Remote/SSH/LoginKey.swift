import Core

/// A key that is offered to a host for logging in.
struct LoginKey {
  /// The holder of the private half.
  enum Holder {
    /// This process.
    case us(PrivateKey)
    /// An encrypted file; the closure asks for its passphrase.
    case file(unlock: () throws(Failure) -> PrivateKey)
    /// An agent, which signs.
    case agent(SSHAgent, HostKey)
  }

  /// The name for messages: a path, the name under which it is stored, or the agent's comment.
  let name: String
  /// The public half; nil if only the private half contains it.
  let publicKey: HostKey?
  /// The holder of the private half.
  let holder: Holder

  /// Creates an offer of a loaded key.
  init(_ key: PrivateKey) throws(Failure) {
    name = key.name
    publicKey = try key.publicKey
    holder = .us(key)
  }

  /// Creates an offer of a key with another holder.
  init(_ name: String, _ publicKey: HostKey?, _ holder: Holder) {
    self.name = name
    self.publicKey = publicKey
    self.holder = holder
  }

  /// `true` if an agent holds the key.
  var isAgents: Bool {
    if case .agent = holder { true } else { false }
  }

  /// Returns `true` if both are the same key, as far as is known.
  func isSame(as other: LoginKey) -> Bool {
    publicKey.map { $0 == other.publicKey } ?? (name == other.name)
  }
}
