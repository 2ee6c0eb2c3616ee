import Core

/// A key that is offered to a host for logging in.
struct LoginKey {
  /// The holder of the private half.
  enum Holder {
    /// This process.
    case us(PrivateKey)
    /// An encrypted file; the closure decrypts it with a passphrase from the user.
    case file(unlock: () throws(Failure) -> PrivateKey)
    /// An agent that signs with the key.
    case agent(SSHAgent, HostKey)
  }

  /// The name for messages: a path, the name of a stored key, or the agent's comment.
  let name: String
  /// The public half; nil if it cannot be read without the private half.
  let publicKey: HostKey?
  /// The holder of the private half.
  let holder: Holder

  /// Creates a login key from the given loaded key.
  init(_ key: PrivateKey) throws(Failure) {
    name = key.name
    publicKey = try key.publicKey
    holder = .us(key)
  }

  /// Creates a login key whose private half has the given holder.
  init(_ name: String, _ publicKey: HostKey?, _ holder: Holder) {
    self.name = name
    self.publicKey = publicKey
    self.holder = holder
  }

  /// `true` if an agent holds the key.
  var isAgents: Bool {
    if case .agent = holder { true } else { false }
  }

  /// Returns `true` if both public halves are known and equal.
  func isSame(as other: LoginKey) -> Bool {
    publicKey.map { $0 == other.publicKey } ?? (name == other.name)
  }
}
