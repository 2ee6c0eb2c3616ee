public import Core

/// The operator's own token for the hub of this machine: whoever can read the file is the operator.
///
/// It lies in the data folder, beside the store that it opens, readable by its owner alone; a hub
/// takes it from this machine only.
public enum OwnerToken {
  /// The token, if there is one.
  ///
  /// - Throws: `PermissionDenied` where others may read the file, `StorageFailed`.
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

  /// The token, which is made where there is none: of hubs that start at once, one makes it.
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

  /// Where it is.
  public static func path(_ directories: Directories) -> String { directories.data + "/hub.token" }
}
