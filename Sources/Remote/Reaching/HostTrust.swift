public import Core

/// The key that a host shows, and what it takes to trust it.
///
/// The host is asked once; what is recorded is decided on afterwards.
public struct HostTrust {
  /// The key.
  public let key: HostKey
  private let host: HostIdentity
  private let connector: Connector
  private let store: TrustStore
  private let record: HostRecord
  private let verdict: TrustVerdict

  /// Asks a host for its key.
  ///
  /// - Throws: What connecting throws; `SSHHostKeyMismatch` for a key that is not the one wanted.
  public init(asking reach: Reach) throws(Failure) {
    guard let hop = reach.hops.last else { throw SSHConnection.lost("no host") }
    try self.init(try reach.connector.hostKey(reach.hops), shownBy: hop, reach.connector)
  }

  /// Decides on a key that a host has shown.
  init(_ key: HostKey, shownBy hop: Hop, _ connector: Connector) throws(Failure) {
    self.key = key
    var connector = connector
    // To record it is what was asked for; of the hosts on the way it was not.
    connector.policy = .acceptNew
    let known = connector.knownHosts(hop)
    host = hop.identity
    store = known.store
    record = try known.record(of: host)
    verdict = record.verdict(on: key)
    try connector.checkPin(key, host)
    self.connector = connector
  }

  /// The record of a key that is trusted already; nil for any other.
  public var known: HostKeyRecord? {
    guard case .trusted(let place) = verdict else { return nil }
    return told(.known, in: place.file)
  }

  /// Records the key of a host that none is recorded of.
  ///
  /// - Throws: `SSHHostKeyMismatch`, `StorageFailed`.
  public func add() throws(Failure) -> HostKeyRecord {
    try connector.trust(key, as: host, record, in: store)
    return told(.added, in: store.path)
  }

  /// What somebody has to agree to before the key takes the place of those recorded.
  ///
  /// - Throws: `SSHHostKeyMismatch` for a key that is revoked.
  public func question() throws(Failure) -> String {
    let failure = verdict.failure(host: host, offered: key)
    if case .revoked = verdict, let failure { throw failure }
    let was = failure?.explanation ?? "no key is recorded"
    return
      "\(was). '\(host.name)' will be trusted with \(key.fingerprint) (\(key.algorithm))."
  }

  /// Records the key in place of those that are recorded.
  ///
  /// - Throws: `SSHHostKeyMismatch` for a key that is revoked, `StorageFailed`.
  public func replace() throws(Failure) -> HostKeyRecord {
    let count = try store.reset(host, trusting: key)
    return told(count > 0 ? .replaced : .added, in: store.path)
  }

  private func told(_ status: HostKeyStatus, in file: String) -> HostKeyRecord {
    HostKeyRecord(
      host: host.name, algorithm: key.algorithm, fingerprint: key.fingerprint, status: status,
      file: file)
  }
}
