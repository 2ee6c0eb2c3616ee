public import Core

/// The user's ssh_config(5), as far as it is supported.
///
/// The supported keywords are HostName, User, Port, IdentityFile, IdentityAgent, IdentitiesOnly,
/// ProxyJump, HostKeyAlias and UserKnownHostsFile. They may stand under Host and Match all, and in
/// files that Include names. No command in the file is ever run.
public struct SSHConfig: Sendable {
  /// One keyword and its arguments.
  struct Entry: Sendable {
    var keyword: String
    var arguments: [String]
    var place: FilePlace
    /// The blocks around the entry, all of which must apply.
    ///
    /// Blocks around an `Include` also enclose the entries of the included file.
    var blocks: [Block]
  }

  /// A `Host` or `Match` block.
  struct Block: Sendable {
    /// The patterns of a `Host` block; nil if the block applies to all hosts.
    var patterns: [String]?

    /// Returns `true` if the block applies to `host`, which is the name that the user typed.
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
  /// The `Match` lines whose blocks are ignored, because only `Match all` is supported.
  public internal(set) var leftOut: [FilePlace] = []

  /// Creates an empty configuration.
  public init() {}

  /// Reads the file at the given path, and the files that it includes.
  ///
  /// A missing file counts as empty.
  ///
  /// - Parameters:
  ///   - path: The path of the file, usually `~/.ssh/config`.
  ///   - user: The owner of the configuration.
  /// - Throws: `PermissionDenied` if another user owns a file or may write it; `BadConfiguration`
  ///   if a line is invalid; `StorageFailed` if a file cannot be read.
  public init(path: String, _ user: LocalUser) throws(Failure) {
    var reader = SSHConfigReader(user: user)
    try reader.read(path, [Block(patterns: nil)], depth: 0)
    entries = reader.entries
    leftOut = reader.leftOut
  }

  /// Returns the settings for the given host.
  ///
  /// The first value of each keyword takes effect.
  func settings(for host: String) throws(Failure) -> HostSettings {
    var settings = HostSettings()
    for entry in entries where entry.blocks.allSatisfy({ $0.holds(host) }) {
      try settings.apply(entry)
    }
    return settings
  }
}
