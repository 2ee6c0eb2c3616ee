import Core

/// A key that a host is asked to let a user in with.
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

  /// Its name, for people: a path, the name it is stored under, or the agent's comment.
  let name: String
  /// The public half; nil where only the private half tells it.
  let publicKey: HostKey?
  /// The holder of the private half.
  let holder: Holder

  /// A key that is at hand.
  init(_ key: PrivateKey) throws(Failure) {
    name = key.name
    publicKey = try key.publicKey
    holder = .us(key)
  }

  /// A key that somebody else holds.
  init(_ name: String, _ publicKey: HostKey?, _ holder: Holder) {
    self.name = name
    self.publicKey = publicKey
    self.holder = holder
  }

  /// Whether an agent holds it.
  var isAgents: Bool {
    if case .agent = holder { true } else { false }
  }

  /// Whether both are the same key, as far as that is known.
  func isSame(as other: LoginKey) -> Bool {
    publicKey.map { $0 == other.publicKey } ?? (name == other.name)
  }
}
