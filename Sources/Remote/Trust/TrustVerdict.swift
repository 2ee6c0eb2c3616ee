public import Core

/// A recorded host key, and the line that records it.
public struct RecordedKey: Sendable, Hashable {
  /// The key.
  public var key: HostKey
  /// The line that records the key.
  public var place: FilePlace
}

/// The verdict on a host's key.
public enum TrustVerdict: Sendable, Hashable {
  /// The key is recorded for the host, in the given line.
  case trusted(FilePlace)
  /// The key differs from all of the host's recorded keys, which are given.
  case changed([RecordedKey])
  /// The key is marked as revoked by the given line.
  case revoked(FilePlace)
  /// A line for the host cannot be parsed, for the given reason.
  case unreadable(FilePlace, reason: String)
  /// No key is recorded for the host.
  case unknown
}

extension TrustVerdict {
  /// Returns the failure that forbids a connection; nil if the key is trusted or the host is
  /// unknown.
  ///
  /// - Parameters:
  ///   - host: The host that presents the key.
  ///   - offered: The presented key.
  /// - Returns: `SSHHostKeyMismatch` of the kind `changed`, `revoked` or `unreadableEntry`; nil if
  ///   none applies.
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
