public import Core

/// A key that is recorded for a host, and where.
public struct RecordedKey: Sendable, Hashable {
  /// The key.
  public var key: HostKey
  /// Its place.
  public var place: FilePlace
}

/// What is known of a host's key.
public enum TrustVerdict: Sendable, Hashable {
  /// It is recorded.
  case trusted(FilePlace)
  /// Only other keys are recorded, of its type or another.
  case changed([RecordedKey])
  /// It is marked as one that nobody may trust any more.
  case revoked(FilePlace)
  /// A line that names the host cannot be read, and why: it may have said anything.
  case unreadable(FilePlace, reason: String)
  /// Nothing is recorded of the host.
  case unknown
}

extension TrustVerdict {
  /// Why a connection must not be made; nil when the key is trusted, or the host unknown.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - offered: The key that it offers.
  /// - Returns: `SSHHostKeyMismatch`, its kind `changed`, `revoked` or `unreadableEntry`.
  public func failure(host: HostIdentity, offered: HostKey) -> Failure? {
    let name = Visible.text(host.name)
    let key = "\(offered.fingerprint) (\(offered.algorithm))"
    switch self {
    case .trusted, .unknown: return nil
    case .changed(let recorded):
      let known = recorded.map { "\($0.key.fingerprint) (\($0.key.algorithm)) in \($0.place)" }
      return Failure(
        .sshHostKeyMismatch,
        "the key of '\(name)' has changed: it is \(key), but recorded is "
          + known.joined(separator: ", "),
        kind: .changed, input: recorded.first?.place.description)
    case .revoked(let place):
      return Failure(
        .sshHostKeyMismatch, "the key of '\(name)' is revoked in \(place): \(key)",
        kind: .revoked, input: place.description)
    case .unreadable(let place, let reason):
      return Failure(
        .sshHostKeyMismatch,
        "cannot check the key of '\(name)', \(key): "
          + "cannot read the host's entry in \(place): \(reason)",
        kind: .unreadableEntry, input: place.description)
    }
  }
}
