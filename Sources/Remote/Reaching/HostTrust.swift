public import Core

/// The key that a host presents, and the actions that make the key trusted.
///
/// The host is contacted only once, when this value is created.
public struct HostTrust {
  /// The presented key.
  public let key: HostKey
  private let host: HostIdentity
  private let connector: Connector
  private let store: TrustStore
  private let record: HostRecord
  private let verdict: TrustVerdict

  /// Fetches the key of the host with the given route.
  ///
  /// - Throws: `SSHHostKeyMismatch` if the key does not have the required fingerprint; the errors
  ///   of ``Connector/hostKey(_:)``.
  public init(asking reach: Reach) throws(Failure) {
    guard let hop = reach.hops.last else { throw SSHConnection.lost("no host") }
    try self.init(try reach.connector.hostKey(reach.hops), shownBy: hop, reach.connector)
  }

  /// Creates the value for a key that the given hop presented.
  init(_ key: HostKey, shownBy hop: Hop, _ connector: Connector) throws(Failure) {
    self.key = key
    var connector = connector
    // The user asked to record this host's key, but not those of the jump hosts.
    connector.policy = .acceptNew
    let known = connector.knownHosts(hop)
    host = hop.identity
    store = known.store
    record = try known.record(of: host)
    verdict = record.verdict(on: key)
    try connector.checkPin(key, host)
    self.connector = connector
  }

  /// The record of the key; nil if the key is not yet trusted.
  public var known: HostKeyRecord? {
    guard case .trusted(let place) = verdict else { return nil }
    return keyRecord(.known, in: place.file)
  }

  /// Records the key, if no other key is recorded for the host.
  ///
  /// - Throws: `SSHHostKeyMismatch` if another key is recorded; `StorageFailed` if the key cannot
  ///   be recorded.
  public func add() throws(Failure) -> HostKeyRecord {
    try connector.trust(key, as: host, record, in: store)
    return keyRecord(.added, in: store.path)
  }

  /// Returns the question that the user must confirm before ``replace()``.
  ///
  /// - Throws: `SSHHostKeyMismatch` if the key is revoked.
  public func question() throws(Failure) -> String {
    let failure = verdict.failure(host: host, offered: key)
    if case .revoked = verdict, let failure { throw failure }
    let was = failure?.explanation ?? "no key is recorded"
    return
      "\(was). '\(host.name)' will be trusted with \(key.fingerprint) (\(key.algorithm))."
  }

  /// Records the key in place of the host's recorded keys.
  ///
  /// - Throws: `SSHHostKeyMismatch` if the key is revoked; `StorageFailed` if it cannot be
  ///   recorded.
  public func replace() throws(Failure) -> HostKeyRecord {
    let count = try store.reset(host, trusting: key)
    return keyRecord(count > 0 ? .replaced : .added, in: store.path)
  }

  private func keyRecord(_ status: HostKeyStatus, in file: String) -> HostKeyRecord {
    HostKeyRecord(
      host: host.name, algorithm: key.algorithm, fingerprint: key.fingerprint, status: status,
      file: file)
  }
}
