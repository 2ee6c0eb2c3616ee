public import Core

/// The local side of a connection: the user's files, the stored keys, prompts and messages.
public struct LocalSide {
  /// The local user; the login name defaults to the user's name.
  public var user: LocalUser
  /// The directories that contain our own record of host keys.
  public var directories: Directories
  /// A closure that opens the stored keys; called only for a host that requires a login.
  public var storedKeys: () throws(Failure) -> StoredKeys
  /// A closure that returns the passphrase of the key file at a path; nil if it cannot be
  /// requested.
  public var passphrase: (_ path: String) throws(Failure) -> String?
  /// A closure that receives messages for the user, such as that a key was recorded.
  public var note: (String) -> Void
  /// The interruption that signals the end of the process.
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
