import Core
import Foundation

/// The session of one user and set of toolkits, which all processes use for an hour.
struct ComposioSessions: Sendable {
  /// The seconds for which a session is used.
  static let lifetimeSeconds = 3600.0

  private struct Stored: Codable {
    var id: String
    var createdAt: Timestamp
  }

  private let router: ComposioRouter
  /// The user on whose behalf tools are called.
  let user: String
  private let toolkits: [String]
  private let path: String
  private let lock: String

  /// Creates the session of the given settings.
  init(_ router: ComposioRouter, _ settings: Settings.ComposioSettings, _ directories: Directories)
  {
    self.router = router
    user = settings.userId ?? "default"
    toolkits = Set(settings.toolkits).sorted()
    // The key is part of the name because a session belongs to the project of its key.
    let parts = [router.base, user, SHA256Digest.hexadecimal(Array(router.key.utf8))] + toolkits
    let digest = SHA256Digest.hexadecimal(Array(parts.joined(separator: "\n").utf8))
    path = "\(directories.cache)/composio/\(digest).json"
    lock = "\(directories.state)/composio/\(digest).lock"
    self.digest = "composio-\(digest)"
  }

  /// A name that differs for other settings, keys and servers.
  let digest: String

  /// Returns the id of the stored session, or of a new one.
  ///
  /// - Parameter gone: The id of a session that the server does not know any longer.
  /// - Returns: The id.
  /// - Throws: `Busy` if another process creates a session for too long; the errors of the router;
  ///   `StorageFailed` if the new id cannot be stored.
  func id(insteadOf gone: String? = nil) async throws(Failure) -> String {
    if let id = stored, id != gone { return id }
    let held = try await FileLock.forRenewal(lock, ofTokensFrom: router.base)
    defer { withExtendedLifetime(held) {} }
    // Another process may have created one meanwhile.
    if let id = stored, id != gone { return id }
    let id = try await router.createSession(user, toolkits)
    guard let bytes = try? RecordJSON.line(of: Stored(id: id, createdAt: .now)) else { return id }
    try Directories.make((path as NSString).deletingLastPathComponent)
    try PrivateFile.write(bytes, to: path)
    return id
  }

  /// The id of the stored session; nil if there is none, or if it is too old.
  private var stored: String? {
    guard let bytes = (try? PrivateFile.read(path)) ?? nil,
      let stored = try? RecordJSON.decode(Stored.self, from: bytes),
      ComposioRouter.isIdentifier(stored.id)
    else { return nil }
    let age = Timestamp.now.seconds(since: stored.createdAt)
    return age >= 0 && age < Self.lifetimeSeconds ? stored.id : nil
  }
}
