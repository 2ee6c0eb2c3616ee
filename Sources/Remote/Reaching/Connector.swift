public import Core
import Foundation

/// Connects to hosts, through others where the way leads there, and trusts none that it should not.
public struct Connector {
  /// What to do about a host whose key is not known.
  public enum Policy: String, Sendable, CaseIterable {
    /// Its key is recorded, and from then on no other is taken.
    case acceptNew = "accept-new"
    /// It is refused.
    case strict
  }

  /// How far to go.
  enum Aim {
    /// Until the host has shown its key.
    case hostKey
    /// Until commands can be run.
    case commands
  }

  /// Where keys of a host are recorded.
  public var knownHosts: (Hop) -> KnownHosts
  /// Who is to be let in where nothing names a user.
  public var user: String
  /// The keys that are tried at a host, in order.
  let keys: (Hop) throws(Failure) -> [LoginKey]
  /// What to do about a host whose key is not known.
  public var policy = Policy.acceptNew
  /// The fingerprint that the host's key must have, whatever is recorded.
  public var pinned: String?
  /// Seconds for looking the name up, connecting, shaking hands and being let in, all together.
  public var timeout = 10.0
  /// Seconds between two questions whether the peer is still there.
  public var interval = 5.0
  /// Tells people what they should know, such as that a key was recorded.
  public var note: (String) -> Void
  /// Tells when the process is to end.
  let interruption: Interruption

  /// Creates a connector.
  init(
    knownHosts: @escaping (Hop) -> KnownHosts, user: String, interruption: Interruption,
    keys: @escaping (Hop) throws(Failure) -> [LoginKey], note: @escaping (String) -> Void
  ) {
    self.knownHosts = knownHosts
    self.user = user
    self.keys = keys
    self.interruption = interruption
    self.note = note
  }

  /// Connects to the last of some hosts through the others.
  ///
  /// - Throws: `SSHHostUnreachable`, `ProtocolMismatch`, `SSHHostKeyMismatch`, `SSHAuthFailed`,
  ///   `SSHSecondFactor`, `StorageFailed` where a new key cannot be recorded, `Interrupted`.
  public func connect(_ hops: [Hop]) throws(Failure) -> SSHConnection {
    try connect(hops, .commands).connection
  }

  /// The key that the last of some hosts shows, whether it is trusted or not.
  ///
  /// - Throws: As ``connect(_:)``, but for what is wrong with that key.
  public func hostKey(_ hops: [Hop]) throws(Failure) -> HostKey {
    guard let key = try connect(hops, .hostKey).key else { throw SSHConnection.lost("no host") }
    return key
  }

  private func connect(
    _ hops: [Hop], _ aim: Aim
  ) throws(Failure) -> (connection: SSHConnection, key: HostKey?) {
    let connection = SSHConnection(interval: interval, interruption: interruption)
    var limit = TimeLimit(seconds: timeout)
    var key: HostKey?
    for (index, hop) in hops.enumerated() {
      let isLast = index == hops.count - 1
      let known = knownHosts(hop)
      let record = try known.record(of: hop.identity)
      let user = hop.user ?? self.user
      if index == 0 {
        let socket = try NetworkSocket(
          host: hop.host, port: hop.port, limit: limit, interruption: interruption)
        let session = try SSHSession(
          socket: socket.descriptor, host: hop.host, port: hop.port, user: user,
          recorded: record.algorithms)
        connection.add(SSHConnection.Link(session: session, pump: nil))
      } else {
        connection.add(
          try jump(
            on: connection, to: hop, as: user, recorded: record.algorithms, limit))
      }
      try shakeHands(connection, hop, limit)
      let shown = try connection.session().hostKey()
      if isLast && aim == .hostKey { return (connection, shown) }
      try trust(shown, as: hop.identity, record, in: known.store, isPinned: isLast)
      key = shown
      // Reading a key may ask a person, such as for the keyring's password.
      let began = ContinuousClock.now
      let keys = try keys(hop)
      limit.extend(since: began)
      try connection.authenticate(user, keys, host: hop.host, limit: &limit)
    }
    return (connection, key)
  }

  /// Goes on to the next host over a channel of the last one (RFC 4254, section 7.2).
  private func jump(
    on connection: SSHConnection, to hop: Hop, as user: String, recorded: [String],
    _ limit: TimeLimit
  ) throws(Failure) -> SSHConnection.Link {
    let session = try connection.session()
    let channel = try session.makeChannel()
    let outcome = try connection.settled(limit) {
      channel.open(forwardingTo: hop.host, hop.port)
    }
    var ends: [Int32] = [-1, -1]
    guard outcome == .done, socketpair(AF_UNIX, streamSocket, 0, &ends) == 0 else {
      throw Failure(
        .sshHostUnreachable, "the jump host cannot reach '\(Visible.line(hop.host)):\(hop.port)'",
        kind: .jump, input: hop.host, cause: Visible.line(session.error))
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[1], F_SETFL, fcntl(ends[1], F_GETFL) | O_NONBLOCK)
    let pump = JumpPump(channel: channel, socket: ends[0])
    defer { close(ends[1]) }
    let inner = try SSHSession(
      socket: ends[1], host: hop.host, port: hop.port, user: user, recorded: recorded)
    return SSHConnection.Link(session: inner, pump: pump)
  }

  /// Has the innermost session exchange keys; its failures are told by how far it came, since libssh's
  /// own text may be of something else.
  private func shakeHands(
    _ connection: SSHConnection, _ hop: Hop, _ limit: TimeLimit
  ) throws(Failure) {
    let session = try connection.session()
    let subject = "\(Visible.line(hop.host)):\(hop.port)"
    switch try connection.settled(limit, { session.shakeHands() }) {
    case .done: return
    case nil:
      throw Failure(
        .sshHostUnreachable,
        "'\(subject)' did not complete the SSH handshake within \(Int(timeout)) seconds",
        kind: .timeout, input: hop.host)
    case .failed:
      let cause = Visible.line(session.error)
      guard session.received > 0 else {
        throw Failure(
          .sshHostUnreachable, "'\(subject)' closed the connection immediately", kind: .closed,
          input: hop.host, cause: cause)
      }
      let banner = session.banner
      throw Failure(
        .protocolMismatch,
        banner.hasPrefix("SSH-2.") || banner.hasPrefix("SSH-1.99")
          ? "'\(subject)' shares no SSH algorithm with this program"
          : "'\(subject)' does not speak SSH 2",
        kind: banner.isEmpty ? .banner : .negotiation, input: hop.host, cause: cause)
    }
  }

  /// Trusts the key that a host shows, and records it where it may be; or throws.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - host: Whose it is.
  ///   - record: What is recorded of the host.
  ///   - store: Where a new key is recorded.
  ///   - isPinned: Whether it must be the one that was named.
  /// - Throws: `SSHHostKeyMismatch`, `StorageFailed`.
  public func trust(
    _ key: HostKey, as host: HostIdentity, _ record: HostRecord, in store: TrustStore,
    isPinned: Bool = true
  ) throws(Failure) {
    let name = Visible.line(host.name)
    let shown = "\(key.fingerprint) (\(key.algorithm))"
    let verdict = record.verdict(on: key)
    if let failure = verdict.failure(host: host, offered: key) { throw failure }
    if isPinned { try checkPin(key, host) }
    guard case .unknown = verdict else { return }
    guard policy == .acceptNew || isPinned && pinned != nil else {
      throw Failure(
        .sshHostKeyMismatch,
        "the key of '\(name)' is unknown: \(shown); run 'tmux-attach trust', or name the key "
          + "with --host-key",
        kind: .unknown, input: host.name)
    }
    if try store.add(key, for: host) {
      note("recorded the key of '\(name)': \(shown)")
    }
  }

  /// Holds a key against the one that was named.
  ///
  /// - Throws: `SSHHostKeyMismatch`.
  public func checkPin(_ key: HostKey, _ host: HostIdentity) throws(Failure) {
    guard let pinned, pinned != key.fingerprint else { return }
    throw Failure(
      .sshHostKeyMismatch,
      "the key of '\(Visible.line(host.name))' is \(key.fingerprint) (\(key.algorithm)), but "
        + "--host-key requires \(Visible.line(pinned))",
      kind: .pinned, input: host.name)
  }
}
