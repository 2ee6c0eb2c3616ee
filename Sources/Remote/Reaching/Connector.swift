public import Core
import Foundation

/// A connector that reaches a host directly or through jump hosts.
///
/// It verifies the key of each host on the way.
public struct Connector {
  /// The policy for a host with an unknown key.
  public enum Policy: String, Sendable, CaseIterable {
    /// The key is recorded.
    ///
    /// From then on, no other key is accepted.
    case acceptNew = "accept-new"
    /// The host is refused.
    case strict
  }

  /// The stage at which a connection counts as complete.
  enum Aim {
    /// The host has shown its key.
    case hostKey
    /// Commands can be run.
    case commands
  }

  /// A closure that returns the known_hosts files for a hop.
  public var knownHosts: (Hop) -> KnownHosts
  /// The login name for hops that name no user.
  public var user: String
  /// A closure that returns the keys to try at a hop, in order.
  let keys: (Hop) throws(Failure) -> [LoginKey]
  /// The policy for a host with an unknown key.
  public var policy = Policy.acceptNew
  /// The fingerprint that the destination's key must have; nil for any.
  ///
  /// It applies even if another key is recorded.
  public var pinned: String?
  /// The time limit in seconds for name resolution, connection, handshake and login in total.
  public var timeout = 10.0
  /// The interval between keep-alive requests, in seconds.
  public var interval = 5.0
  /// A closure that receives messages for the user, for example when a key was recorded.
  public var report: (String) -> Void
  /// The interruption that occurs when the process is to end.
  let interruption: Interruption

  /// Creates a connector.
  init(
    knownHosts: @escaping (Hop) -> KnownHosts, user: String, interruption: Interruption,
    keys: @escaping (Hop) throws(Failure) -> [LoginKey], report: @escaping (String) -> Void
  ) {
    self.knownHosts = knownHosts
    self.user = user
    self.keys = keys
    self.interruption = interruption
    self.report = report
  }

  /// Connects to the last of the given hosts through the others.
  ///
  /// - Throws: `SSHHostUnreachable` if a connection fails; `ProtocolMismatch` if a key exchange
  ///   fails; `SSHHostKeyMismatch` if a key is not trusted; `SSHAuthFailed` or `SSHSecondFactor` if
  ///   a login fails; `StorageFailed` if a new key cannot be recorded; `Interrupted` if the process
  ///   is to end.
  public func connect(_ hops: [Hop]) throws(Failure) -> SSHConnection {
    try connect(hops, .commands).connection
  }

  /// Returns the key that the last of the given hosts presents, trusted or not.
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

  /// Opens a channel that forwards to the given hop, from the innermost host of the connection (RFC
  /// 4254, section 7.2).
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

  /// Exchanges keys with the innermost host.
  ///
  /// The failure depends on the progress of the exchange, because libssh's own message may be
  /// unrelated.
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

  /// Checks that the key that a host presents is trusted.
  ///
  /// A new key is recorded and trusted if the policy permits.
  ///
  /// - Parameters:
  ///   - key: The presented key.
  ///   - host: The host that presents the key.
  ///   - record: The recorded keys of the host.
  ///   - store: The store in which a new key is recorded.
  ///   - isPinned: `true` if the key must have the fingerprint ``pinned``.
  /// - Throws: `SSHHostKeyMismatch` if the key is not trusted; `StorageFailed` if a new key cannot
  ///   be recorded.
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
        "the key of '\(name)' is unknown: \(shown)", kind: .unknown, input: host.name,
        nextStep: "run 'tmux-attach trust', or name the key with --host-key")
    }
    if try store.add(key, for: host) {
      report("recorded the key of '\(name)': \(shown)")
    }
  }

  /// Compares the given key with the fingerprint ``pinned``.
  ///
  /// - Throws: `SSHHostKeyMismatch` if they differ.
  public func checkPin(_ key: HostKey, _ host: HostIdentity) throws(Failure) {
    guard let pinned, pinned != key.fingerprint else { return }
    throw Failure(
      .sshHostKeyMismatch,
      "the key of '\(Visible.line(host.name))' is \(key.fingerprint) (\(key.algorithm)), but "
        + "--host-key requires \(Visible.line(pinned))",
      kind: .pinned, input: host.name)
  }
}
