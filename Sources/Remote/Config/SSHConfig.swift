public import Core

/// The user's ssh_config(5), as far as it is supported.
///
/// The supported keywords are HostName, User, Port, IdentityFile, IdentityAgent, IdentitiesOnly,
/// ProxyJump, HostKeyAlias and UserKnownHostsFile. They may stand under Host and Match, and in
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
    enum Condition: Sendable {
      case host(NamePatterns)
      case match(MatchLine)
    }

    /// The number of the block among those of the configuration.
    ///
    /// A file that is included twice has its blocks twice.
    var number: Int
    var condition: Condition

    /// Returns `true` if the block applies to the host.
    ///
    /// The patterns of `Host` are compared with the name that the user typed; at the second
    /// reading, with the final name.
    func holds(_ subject: MatchLine.Subject) -> Bool {
      switch condition {
      case .host(let patterns): patterns.match(subject.isFinal ? subject.target : subject.typed)
      case .match(let line): line.holds(subject)
      }
    }
  }

  var entries: [Entry] = []
  /// The `Match` lines whose blocks are ignored, because a criterion is not supported.
  public internal(set) var leftOut: [FilePlace] = []
  /// `true` if a `Match` line asks for a second reading with the final name of the host.
  private var wantsFinal = false

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
    try reader.read(path, [], depth: 0)
    entries = reader.entries
    leftOut = reader.leftOut
    wantsFinal = reader.wantsFinal
  }

  /// Returns the settings for the given destination.
  ///
  /// The first value of each keyword takes effect. A `Match` line is compared with the values that
  /// the lines before it set.
  ///
  /// - Parameters:
  ///   - destination: The destination. Its user takes precedence over that of the configuration.
  ///   - local: The owner of the configuration.
  /// - Returns: The settings.
  /// - Throws: `BadConfiguration` if a value is invalid.
  func settings(
    for destination: Destination, of local: LocalUser
  ) throws(Failure) -> HostSettings {
    var settings = HostSettings()
    try apply(to: &settings, for: destination, of: local, asFinal: nil)
    guard wantsFinal else { return settings }
    // The final name stays, whatever the second reading names.
    let (named, host) = (settings.hostName, try settings.host(destination.host))
    let isAddress = host.contains(":")
    try apply(
      to: &settings, for: destination, of: local, asFinal: isAddress ? host : host.lowercased())
    settings.hostName = named
    return settings
  }

  private func apply(
    to settings: inout HostSettings, for destination: Destination, of local: LocalUser,
    asFinal final: String?
  ) throws(Failure) {
    // A block holds or not from its first entry on, as its entries change what it is compared with.
    var known: [Int: Bool] = [:]
    var subject = MatchLine.Subject(
      typed: destination.host, target: final ?? destination.host, user: "", localUser: local.name,
      isFinal: final != nil)
    for entry in entries {
      subject.user = destination.user ?? settings.user?.text ?? local.name
      if final == nil { subject.target = try settings.host(destination.host) }
      var isMeant = true
      for block in entry.blocks {
        let holds = known[block.number] ?? block.holds(subject)
        known[block.number] = holds
        isMeant = isMeant && holds
      }
      if isMeant { try settings.apply(entry) }
    }
  }
}
