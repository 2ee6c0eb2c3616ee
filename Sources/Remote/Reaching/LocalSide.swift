public import Core

/// What reaching hosts rests on here: whose files are read, where keys are kept, who is asked and told.
public struct LocalSide {
  /// The user, in whose name one is let in where nothing names another.
  public var user: LocalUser
  /// Where our own record of hosts' keys is.
  public var directories: Directories
  /// The keys in the key store, which is opened only for a host that is asked to let somebody in.
  public var storedKeys: () throws(Failure) -> StoredKeys
  /// Gives the passphrase of a key's file; nil where nobody can be asked.
  public var passphrase: (_ path: String) throws(Failure) -> String?
  /// Tells people what they should know, such as that a key was recorded.
  public var note: (String) -> Void
  /// Tells when the process is to end.
  public var interruption: Interruption

  /// Says what it is.
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
