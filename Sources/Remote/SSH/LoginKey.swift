import Core

/// A key that is offered to a host for logging in.
struct LoginKey {
  /// The party that holds the private half of a key.
  enum Holder {
    /// This process holds the private half.
    case us(PrivateKey)
    /// An encrypted file holds the private half.
    ///
    /// The closure decrypts it with a passphrase from the user.
    case file(unlock: () throws(Failure) -> PrivateKey)
    /// An agent holds the private half and signs with it.
    case agent(SSHAgent, HostKey)
  }

  /// The name for messages: a path, the name of a stored key, or the agent's comment.
  let name: String
  /// The public half; nil if it is unknown until the private half is decrypted.
  let publicKey: HostKey?
  /// The party that holds the private half.
  let holder: Holder

  /// Creates a login key from the given loaded key.
  init(_ key: PrivateKey) throws(Failure) {
    name = key.name
    publicKey = try key.publicKey
    holder = .us(key)
  }

  /// Creates a login key from its name, its public half, and the holder of its private half.
  init(_ name: String, _ publicKey: HostKey?, _ holder: Holder) {
    self.name = name
    self.publicKey = publicKey
    self.holder = holder
  }

  /// `true` if an agent holds the key.
  var isAgents: Bool {
    if case .agent = holder { true } else { false }
  }

  /// Returns `true` if the public halves of both keys are known and equal.
  func isSame(as other: LoginKey) -> Bool {
    publicKey.map { $0 == other.publicKey } ?? (name == other.name)
  }
}
