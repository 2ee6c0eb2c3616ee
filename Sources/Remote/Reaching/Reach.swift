public import Core
import Foundation

/// A host, and the way to it.
public struct Reach {
  /// What a user wants of the way.
  public struct Wishes: Sendable {
    /// Files of private keys to be let in with, in place of the stored keys.
    public var identityFiles: [String] = []
    /// The hosts to go through, with commas between them; `none` goes straight, nil asks the
    /// configuration.
    public var jump: String?
    /// A file in place of `~/.ssh/config`.
    public var sshConfig: String?
    /// The fingerprint that the host's key must have.
    public var hostKey: String?
    /// What to do about a host whose key is not known.
    public var policy = Connector.Policy.acceptNew
    /// Seconds to connect and be let in within.
    public var timeout = 10.0
    /// Seconds between two questions whether the host is still there.
    public var keepAlive = 5.0

    /// What nobody wished otherwise.
    public init() {}
  }

  /// What the host is called, for people.
  public let host: String
  /// The hosts on the way, the last one being it.
  let hops: [Hop]
  let connector: Connector
  private let search: KeySearch

  /// Finds the way to a host; nothing is connected yet.
  ///
  /// - Parameters:
  ///   - name: The host, as ``Destination`` reads it.
  ///   - wishes: What the user wants of the way.
  ///   - here: What it rests on here.
  /// - Throws: `BadUsage`, `NotFound` for a configuration that is named and not there,
  ///   `BadConfiguration`, `PermissionDenied`.
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
      here.note("\(place) is ignored: a Match block or a command")
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
      note: here.note)
    connector.policy = wishes.policy
    connector.pinned = wishes.hostKey
    connector.timeout = wishes.timeout
    connector.interval = wishes.keepAlive
    return connector
  }

  /// Asks for no passphrase from now on: the terminal is the session's.
  func stopAsking() { search.stopAsking() }

  /// Connects.
  ///
  /// - Throws: As ``Connector/connect(_:)``.
  public func connect() throws(Failure) -> SSHConnection { try connector.connect(hops) }

  /// The port, where it is not the usual one.
  var port: Int? { hops.last.flatMap { $0.port == 22 ? nil : $0.port } }

  /// Who is let in.
  var user: String { hops.last?.user ?? connector.user }
}

extension Reach.Wishes {
  /// The hosts to go through; nil where the configuration decides.
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
