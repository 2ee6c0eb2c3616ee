public import Core
import Foundation

/// A connector to hosts, directly or through jump hosts, which verifies their keys.
public struct Connector {
  /// The policy for a host with an unknown key.
  public enum Policy: String, Sendable, CaseIterable {
    /// Record the key, and accept no other from then on.
    case acceptNew = "accept-new"
    /// Refuse the host.
    case strict
  }

  /// The point at which a connection is complete.
  enum Aim {
    /// The host has shown its key.
    case hostKey
    /// Commands can be run.
    case commands
  }

  /// The files with the host keys for a hop.
  public var knownHosts: (Hop) -> KnownHosts
  /// The login name for hops that name none.
  public var user: String
  /// The keys that are tried at a host, in order.
  let keys: (Hop) throws(Failure) -> [LoginKey]
  /// The policy for a host with an unknown key.
  public var policy = Policy.acceptNew
  /// The fingerprint that the host's key must have, whatever is recorded.
  public var pinned: String?
  /// The time limit in seconds for name resolution, connection, handshake and login together.
  public var timeout = 10.0
  /// The interval between keep-alive requests, in seconds.
  public var interval = 5.0
  /// A closure that receives messages for the user, such as that a key was recorded.
  public var note: (String) -> Void
  /// The interruption that reports the end of the process.
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

  /// Connects to the last host through the others.
  ///
  /// - Throws: `SSHHostUnreachable`, `ProtocolMismatch`, `SSHHostKeyMismatch`, `SSHAuthFailed`,
  ///   `SSHSecondFactor`, `StorageFailed` if a new key cannot be recorded, `Interrupted`.
  public func connect(_ hops: [Hop]) throws(Failure) -> SSHConnection {
    try connect(hops, .commands).connection
  }

  /// Returns the key that the last host shows, trusted or not.
  ///
  /// - Throws: The errors of ``connect(_:)``, except those about that key.
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
      // Reading a key may prompt the user, for example for the keyring's password.
      let began = ContinuousClock.now
      let keys = try keys(hop)
      limit.extend(since: began)
      try connection.authenticate(user, keys, host: hop.host, limit: &limit)
    }
    return (connection, key)
  }

  /// Opens a forwarded channel of the last host to the next one (RFC 4254, section 7.2).
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
        .sshHostUnreachable, "the jump host does not reach '\(Visible.line(hop.host)):\(hop.port)'",
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

  /// Exchanges keys with the innermost host; a failure is described by the progress of the
  /// exchange, since libssh's own message may be about something else.
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
        "'\(subject)' did not finish shaking hands within \(Int(timeout)) seconds",
        kind: .timeout, input: hop.host)
    case .failed:
      let cause = Visible.line(session.error)
      guard session.received > 0 else {
        throw Failure(
          .sshHostUnreachable, "'\(subject)' closed the connection at once", kind: .closed,
          input: hop.host, cause: cause)
      }
      let banner = session.banner
      throw Failure(
        .protocolMismatch,
        banner.hasPrefix("SSH-2.") || banner.hasPrefix("SSH-1.99")
          ? "'\(subject)' and this program have no way to speak in common"
          : "'\(subject)' does not speak SSH 2",
        kind: banner.isEmpty ? .banner : .negotiation, input: hop.host, cause: cause)
    }
  }

  /// Trusts the key that a host shows and records it if the policy permits; otherwise throws.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - host: The host of the key.
  ///   - record: The recorded keys of the host.
  ///   - store: The store for a new key.
  ///   - isPinned: `true` if the key must have the requested fingerprint.
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
        "the key of '\(name)', \(shown), is not known: 'tmux-attach trust' records it, or name it "
          + "with --host-key",
        kind: .unknown, input: host.name)
    }
    if try store.add(key, for: host) {
      note("trusts '\(name)' from now on: \(shown)")
    }
  }

  /// Compares a key with the requested fingerprint.
  ///
  /// - Throws: `SSHHostKeyMismatch`.
  public func checkPin(_ key: HostKey, _ host: HostIdentity) throws(Failure) {
    guard let pinned, pinned != key.fingerprint else { return }
    throw Failure(
      .sshHostKeyMismatch,
      "the key of '\(Visible.line(host.name))' is \(key.fingerprint) (\(key.algorithm)), and "
        + "--host-key wants \(Visible.line(pinned))",
      kind: .pinned, input: host.name)
  }
}
