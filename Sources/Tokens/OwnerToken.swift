public import Core

/// The operator's token for this machine's hub: anyone who can read the file is the operator.
///
/// It is in the data folder, beside the store that it gives access to, and readable by its owner
/// only. A hub accepts it only from this machine.
public enum OwnerToken {
  /// Returns the token, if there is one.
  ///
  /// - Throws: `PermissionDenied` if others may read the file, `StorageFailed`.
  public static func existing(in directories: Directories) throws(Failure) -> String? {
    let path = path(directories)
    guard let bytes = try PrivateFile.read(path) else { return nil }
    let token = String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
    guard AccessToken.kind(token) == .owner else {
      throw Failure(.storageFailed, "'\(path)' is not a hub token", kind: .corrupt, input: path)
    }
    Secrets.register(token)
    return token
  }

  /// Returns the token, and creates it if there is none; of concurrent hubs, only one creates it.
  ///
  /// - Throws: As ``existing(in:)``.
  public static func made(in directories: Directories) throws(Failure) -> String {
    if let token = try existing(in: directories) { return token }
    let path = path(directories)
    let lock = try FileLock.waiting(for: path + ".lock")
    defer { withExtendedLifetime(lock) {} }
    if let token = try existing(in: directories) { return token }
    let token = AccessToken.owner.make()
    try PrivateFile.write(Array((token + "\n").utf8), to: path)
    return token
  }

  /// Returns the path of the file.
  public static func path(_ directories: Directories) -> String { directories.data + "/hub.token" }
}
