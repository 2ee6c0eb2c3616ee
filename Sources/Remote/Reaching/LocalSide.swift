public import Core

/// The local side of a connection: the user's files, the stored keys, prompts and messages.
public struct LocalSide {
  /// The local user.
  ///
  /// Without another login name, the user's name is used.
  public var user: LocalUser
  /// The directories that contain our own record of host keys.
  public var directories: Directories
  /// A closure that opens the stored keys.
  ///
  /// It is called only if a host requires a login.
  public var storedKeys: () throws(Failure) -> StoredKeys
  /// A closure that returns the passphrase of the key file at the given path; nil if it cannot be
  /// requested.
  public var passphrase: (_ path: String) throws(Failure) -> String?
  /// A closure that receives messages for the user, for example when a key was recorded.
  public var report: (String) -> Void
  /// The interruption that occurs when the process is to end.
  public var interruption: Interruption

  /// Creates the local side of a connection.
  public init(
    user: LocalUser, directories: Directories, interruption: Interruption,
    storedKeys: @escaping () throws(Failure) -> StoredKeys,
    passphrase: @escaping (_ path: String) throws(Failure) -> String?,
    report: @escaping (String) -> Void
  ) {
    self.user = user
    self.directories = directories
    self.interruption = interruption
    self.storedKeys = storedKeys
    self.passphrase = passphrase
    self.report = report
  }
}
