public import Core
import Foundation

/// A host, together with the route to it.
public struct Reach {
  /// The user's options for the connection.
  public struct Wishes: Sendable {
    /// The private key files for logging in; empty to use the stored keys.
    public var identityFiles: [String] = []
    /// The jump hosts, separated by commas.
    ///
    /// `none` stands for a direct connection, and nil for the configuration's jump hosts.
    public var jump: String?
    /// The path of a file that is read instead of `~/.ssh/config`.
    public var sshConfig: String?
    /// The fingerprint that the host's key must have; nil for any.
    public var hostKey: String?
    /// The policy for a host with an unknown key.
    public var policy = Connector.Policy.acceptNew
    /// The time limit for connecting and logging in, in seconds.
    public var timeout = 10.0
    /// The interval between keep-alive requests, in seconds.
    public var keepAlive = 5.0

    /// Creates the default options.
    public init() {}
  }

  /// The host's name for messages.
  public let host: String
  /// The hosts on the way.
  ///
  /// The last one is the destination.
  let hops: [Hop]
  let connector: Connector
  private let search: KeySearch

  /// Finds the route to the given host without connecting.
  ///
  /// - Parameters:
  ///   - name: The host, in the form of ``Destination``.
  ///   - wishes: The user's options for the route.
  ///   - here: The user's files, keys and prompts on this machine.
  /// - Throws: `BadUsage` if the name or a jump host is not valid; `NotFound` if the named
  ///   configuration file does not exist; `BadConfiguration` if a line of it is invalid;
  ///   `PermissionDenied` if another user may write it.
  public init(to name: String, _ wishes: Wishes, from here: LocalSide) throws(Failure) {
    let destination = try Destination(name)
    if let path = wishes.sshConfig, access(path, F_OK) != 0 {
      throw Failure(.notFound, "cannot open '\(Visible.line(path))': no such file", input: path)
    }
    let config = try SSHConfig(path: wishes.sshConfig ?? here.user.home + "/.ssh/config", here.user)
    let route = try Route(
      to: destination, config, here.user, identityFiles: wishes.identityFiles,
      jump: try wishes.jumps)
    for place in route.leftOut {
      here.report("\(place) is ignored: a Match block or a command")
    }
    host = destination.host
    hops = route.hops
    let search = KeySearch(named: wishes.identityFiles, here: here)
    self.search = search
    connector = Self.connector(wishes, here, search)
  }

  private static func connector(
    _ wishes: Wishes, _ here: LocalSide, _ search: KeySearch
  ) -> Connector {
    let store = TrustStore(here.directories)
    var connector = Connector(
      knownHosts: { hop in
        KnownHosts(
          store: store,
          others: KnownHosts.ofOpenSSH(home: here.user.home, named: hop.knownHostsFiles))
      },
      user: here.user.name, interruption: here.interruption,
      keys: { (hop) throws(Failure) in try search.keys(for: hop) },
      report: here.report)
    connector.policy = wishes.policy
    connector.pinned = wishes.hostKey
    connector.timeout = wishes.timeout
    connector.interval = wishes.keepAlive
    return connector
  }

  /// Disables passphrase prompts permanently, because the terminal now shows the session.
  func stopAsking() { search.stopAsking() }

  /// Connects to the host.
  ///
  /// - Throws: The errors of ``Connector/connect(_:)``.
  public func connect() throws(Failure) -> SSHConnection { try connector.connect(hops) }

  /// The port of the host; nil for the default port.
  var port: Int? { hops.last.flatMap { $0.port == 22 ? nil : $0.port } }

  /// The login name at the host.
  var user: String { hops.last?.user ?? connector.user }
}

extension Reach.Wishes {
  /// The jump hosts that the user named; nil if the configuration decides.
  fileprivate var jumps: [Destination]? {
    get throws(Failure) {
      guard let jump else { return nil }
      guard jump != "none" else { return [] }
      var hosts: [Destination] = []
      for name in jump.split(separator: ",", omittingEmptySubsequences: false) {
        hosts.append(try Destination(String(name)))
      }
      return hosts
    }
  }
}
