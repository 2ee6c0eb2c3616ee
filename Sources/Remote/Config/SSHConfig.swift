public import Core

/// What the user's ssh_config(5) says of hosts, as far as we follow it.
///
/// That is: HostName, User, Port, IdentityFile, IdentityAgent, IdentitiesOnly, ProxyJump, HostKeyAlias
/// and UserKnownHostsFile, under Host and Match all, with Include. No command in it is ever run.
public struct SSHConfig: Sendable {
  /// One keyword and its arguments.
  struct Entry: Sendable {
    var keyword: String
    var arguments: [String]
    var place: FilePlace
    /// Blocks that must all be for a host: the one that it stands in, and those that the file was
    /// included in.
    var blocks: [Block]
  }

  /// Which hosts a block is for.
  struct Block: Sendable {
    /// The patterns of `Host`; nil for all hosts.
    var patterns: [String]?

    /// Whether the block is for a host, as the user typed it.
    func holds(_ host: String) -> Bool {
      guard let patterns else { return true }
      let name = Array(host.utf8)
      func matches(_ pattern: Substring) -> Bool {
        NamePattern.matches(name, Array(pattern.utf8))
      }
      let negated = patterns.filter { $0.hasPrefix("!") }
      return !negated.contains { matches($0.dropFirst()) }
        && patterns.contains { !$0.hasPrefix("!") && matches($0[...]) }
    }
  }

  var entries: [Entry] = []
  /// The `Match` lines whose blocks are left out: only `Match all` is followed.
  public internal(set) var leftOut: [FilePlace] = []

  /// A configuration that says nothing.
  public init() {}

  /// Reads a file and those that it includes; a file that is missing says nothing.
  ///
  /// - Parameters:
  ///   - path: Its path, usually `~/.ssh/config`.
  ///   - user: Whose configuration it is.
  /// - Throws: `PermissionDenied` for a file that others may write, or own; `BadConfiguration` that
  ///   names the line; `StorageFailed` for a file that cannot be read.
  public init(path: String, _ user: LocalUser) throws(Failure) {
    var reader = SSHConfigReader(user: user)
    try reader.read(path, [Block(patterns: nil)], depth: 0)
    entries = reader.entries
    leftOut = reader.leftOut
  }

  /// What the configuration says of a host, the first value of each keyword winning.
  func settings(for host: String) throws(Failure) -> HostSettings {
    var settings = HostSettings()
    for entry in entries where entry.blocks.allSatisfy({ $0.holds(host) }) {
      try settings.apply(entry)
    }
    return settings
  }
}
