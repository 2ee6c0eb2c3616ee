public import Core

/// The operator's token for this machine's hub.
///
/// Anyone who can read the token's file is the operator, so only the owner can read it. The file is
/// in the data folder, beside the store. A hub accepts the token only from its own machine.
public enum OwnerToken {
  /// Returns the token; nil if there is none.
  ///
  /// - Throws: `PermissionDenied` if others may read or write the file; `StorageFailed` if the file
  ///   cannot be read or is invalid.
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

  /// Returns the token, and creates it if there is none.
  ///
  /// If several hubs start at once, only one of them creates the token.
  ///
  /// - Throws: As ``existing(in:)``; `StorageFailed` if the token cannot be written.
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

  /// Returns the path of the token's file.
  public static func path(_ directories: Directories) -> String { directories.data + "/hub.token" }
}
