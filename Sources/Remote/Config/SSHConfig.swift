public import Core

/// The user's ssh_config(5), as far as it is supported.
///
/// Supported are HostName, User, Port, IdentityFile, IdentityAgent, IdentitiesOnly, ProxyJump,
/// HostKeyAlias and UserKnownHostsFile, under Host and Match all, with Include. No command in it is
/// ever run.
public struct SSHConfig: Sendable {
  /// One keyword and its arguments.
  struct Entry: Sendable {
    var keyword: String
    var arguments: [String]
    var place: FilePlace
    /// The blocks that must all match: the entry's own, and those around the include of its file.
    var blocks: [Block]
  }

  /// The hosts to which a block applies.
  struct Block: Sendable {
    /// The patterns of `Host`; nil for all hosts.
    var patterns: [String]?

    /// Returns `true` if the block applies to a host, as the user typed it.
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
  /// The `Match` lines whose blocks are skipped: only `Match all` is supported.
  public internal(set) var leftOut: [FilePlace] = []

  /// Creates an empty configuration.
  public init() {}

  /// Reads a file and the files that it includes; a missing file counts as empty.
  ///
  /// - Parameters:
  ///   - path: Its path, usually `~/.ssh/config`.
  ///   - user: The owner of the configuration.
  /// - Throws: `PermissionDenied` for a file that others own or may write; `BadConfiguration` that
  ///   names the line; `StorageFailed` for a file that cannot be read.
  public init(path: String, _ user: LocalUser) throws(Failure) {
    var reader = SSHConfigReader(user: user)
    try reader.read(path, [Block(patterns: nil)], depth: 0)
    entries = reader.entries
    leftOut = reader.leftOut
  }

  /// Returns the settings for a host; the first value of each keyword wins.
  func settings(for host: String) throws(Failure) -> HostSettings {
    var settings = HostSettings()
    for entry in entries where entry.blocks.allSatisfy({ $0.holds(host) }) {
      try settings.apply(entry)
    }
    return settings
  }
}
