public import Core

/// The local side of a connection: the user's files, the stored keys, prompts and messages.
public struct LocalSide {
  /// The local user, whose name is the login name if no other is set.
  public var user: LocalUser
  /// The directories with our own record of host keys.
  public var directories: Directories
  /// The stored keys, opened only for a host that requires a login.
  public var storedKeys: () throws(Failure) -> StoredKeys
  /// The passphrase of a key file; nil if nobody can be asked.
  public var passphrase: (_ path: String) throws(Failure) -> String?
  /// A closure that receives messages for the user, such as that a key was recorded.
  public var note: (String) -> Void
  /// The interruption that reports the end of the process.
  public var interruption: Interruption

  /// Creates the local side.
  public init(
    user: LocalUser, directories: Directories, interruption: Interruption,
    storedKeys: @escaping () throws(Failure) -> StoredKeys,
    passphrase: @escaping (_ path: String) throws(Failure) -> String?,
    note: @escaping (String) -> Void
  ) {
    self.user = user
    self.directories = directories
    self.interruption = interruption
    self.storedKeys = storedKeys
    self.passphrase = passphrase
    self.note = note
  }
}
