public import Core

/// One host on the way to the destination.
public struct Hop: Sendable, Hashable {
  /// The name or address to connect to.
  public var host: String
  /// The port to connect to.
  public var port: Int
  /// The user to log in as; nil for the local user's name.
  public var user: String?
  /// The name under which the keys of the host are recorded.
  public var identity: HostIdentity
  /// The private key files for logging in, in the order in which they are tried.
  public var identityFiles: [String]
  /// The path of the agent's socket.
  ///
  /// It is empty for no agent, and nil for the agent in the environment.
  public var agent: String?
  /// `true` to use only those keys of the agent that are also in key files.
  public var leavesOutOthers: Bool
  /// The known_hosts files that are read in addition to our own; nil for the default files.
  public var knownHostsFiles: [String]?
}

/// The hosts on the way to a destination.
///
/// Each host is reached through the previous one. The last one is the destination.
public struct Route: Sendable {
  private static let mostHops = 8

  /// The hosts in the order of connection.
  public private(set) var hops: [Hop] = []
  /// The lines of the configuration that apply to the route but are ignored because they are not
  /// supported.
  public private(set) var leftOut: [FilePlace]

  private let config: SSHConfig
  private let localUser: LocalUser
  private let identityFiles: [String]
  private let isGiven: Bool

  /// Finds the route to the given destination.
  ///
  /// - Parameters:
  ///   - destination: The destination. Its user and port take precedence over the configuration.
  ///   - config: The user's configuration. It applies to each host on the way.
  ///   - user: The owner of the configuration.
  ///   - identityFiles: Key files that are tried first, at every host.
  ///   - jump: The jump hosts; empty for none, nil to use those in the configuration.
  /// - Throws: `BadConfiguration` if a line is invalid, or if the route has a loop or more than 8
  ///   hosts; `BadUsage` if the given jump hosts cause such a loop or length.
  public init(
    to destination: Destination, _ config: SSHConfig, _ user: LocalUser,
    identityFiles: [String] = [], jump: [Destination]? = nil
  ) throws(Failure) {
    self.config = config
    localUser = user
    self.identityFiles = identityFiles
    isGiven = jump != nil
    leftOut = config.leftOut
    try add(destination, through: jump, above: [])
    for (index, hop) in hops.enumerated() {
      let isThere = hops[..<index].contains { $0.host == hop.host && $0.port == hop.port }
      if isThere { throw failure("passes '\(hop.host)' twice") }
    }
  }

  /// Adds the given host after its jump hosts.
  ///
  /// The first jump host is reached by its own route. Each further one is reached through the
  /// previous one.
  private mutating func add(
    _ destination: Destination, through given: [Destination]?, above: [Destination]
  ) throws(Failure) {
    guard !above.contains(destination) else {
      throw failure("comes back to '\(destination.host)'")
    }
    guard above.count < Self.mostHops else { throw tooLong }
    let settings = try config.settings(for: destination, of: localUser)
    leftOut += settings.leftOut.filter { !leftOut.contains($0) }
    let jumps = given ?? settings.jump ?? []
    for (index, jump) in jumps.enumerated() {
      try add(jump, through: index == 0 ? nil : [], above: above + [destination])
    }
    hops.append(try hop(destination, settings))
    guard hops.count + above.count <= Self.mostHops else { throw tooLong }
  }

  private func hop(
    _ destination: Destination, _ settings: HostSettings
  ) throws(Failure) -> Hop {
    let host = try settings.host(destination.host)
    let port = destination.port ?? settings.port ?? 22
    let user = destination.user ?? settings.user?.text
    let tokens: [Character: String] = [
      "h": host, "k": settings.hostKeyAlias?.text ?? destination.host, "n": destination.host,
      "p": "\(port)", "r": user ?? localUser.name,
    ]
    func paths(_ values: [HostSettings.Value]) throws(Failure) -> [String] {
      var paths: [String] = []
      for value in values where value.text.lowercased() != "none" {
        let path = try localUser.path(value.text, value.place, tokens: tokens)
        if !paths.contains(path) { paths.append(path) }
      }
      return paths
    }
    func agent(_ value: HostSettings.Value) throws(Failure) -> String? {
      switch value.text {
      case "none": return ""
      case "SSH_AUTH_SOCK": return nil
      case let name where name.hasPrefix("$") && !name.hasPrefix("${"):
        return localUser.environment[String(name.dropFirst())] ?? ""
      default: return try localUser.path(value.text, value.place, tokens: tokens)
      }
    }
    let own = try paths(settings.identityFiles).filter { !identityFiles.contains($0) }
    return Hop(
      host: host, port: port, user: user,
      identity: HostIdentity(host: host, port: port, alias: settings.hostKeyAlias?.text),
      identityFiles: identityFiles + own, agent: try settings.identityAgent.flatMap(agent),
      leavesOutOthers: settings.identitiesOnly ?? false,
      knownHostsFiles: try settings.knownHostsFiles.map(paths))
  }

  private var tooLong: Failure { failure("has more than \(Self.mostHops) hosts") }

  private func failure(_ reason: String) -> Failure {
    Failure(
      isGiven ? .badUsage : .badConfiguration, "the route through jump hosts \(reason)",
      kind: .jumpChain)
  }
}
