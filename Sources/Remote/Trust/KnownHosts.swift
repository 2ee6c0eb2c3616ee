public import Core

/// The known_hosts files: our own, and OpenSSH's.
///
/// OpenSSH's files are never changed.
public struct KnownHosts: Sendable {
  /// Our own known_hosts file.
  public let store: TrustStore
  /// The paths of the other files, in order.
  public let others: [String]

  /// Creates the list of files.
  public init(store: TrustStore, others: [String]) {
    self.store = store
    self.others = others
  }

  /// Returns the known_hosts files that OpenSSH reads for the user with the given home directory.
  ///
  /// - Parameters:
  ///   - home: The user's home directory.
  ///   - named: The values of `UserKnownHostsFile`; nil if unset.
  /// - Returns: The paths, with the user's files first.
  public static func ofOpenSSH(home: String, named: [String]? = nil) -> [String] {
    let user = named ?? ["\(home)/.ssh/known_hosts", "\(home)/.ssh/known_hosts2"]
    return user + ["/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"]
  }

  /// Looks up the given host in every file.
  ///
  /// - Throws: As ``KnownHostsFile/init(reading:isOwn:)``; `ToolFailed` of the kind `library` if
  ///   libcrypto, which hashed names need, is missing.
  public func record(of host: HostIdentity) throws(Failure) -> HostRecord {
    let own = try Self.source(store.file(), host)
    var rest = HostRecord.Source()
    for path in others {
      let source = try Self.source(KnownHostsFile(reading: path), host)
      rest.named += source.named
      rest.portless += source.portless
    }
    return HostRecord(sources: [own, rest])
  }

  /// Returns the entries for the given host in the given file.
  static func source(
    _ file: KnownHostsFile, _ host: HostIdentity
  ) throws(Failure) -> HostRecord.Source {
    var source = HostRecord.Source(named: try file.statements(on: host.name))
    if let name = host.portless { source.portless = try file.statements(on: name) }
    return source
  }
}
