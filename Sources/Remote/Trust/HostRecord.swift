/// The recorded keys of one host, in our own store and in the user's files.
public struct HostRecord: Sendable {
  /// The entries for the host in one source, in their order.
  struct Source: Sendable {
    /// The entries for the host's name, with its port if that is not 22.
    var named: [KnownHostsFile.Found] = []
    /// The entries for the host's name without its port.
    var portless: [KnownHostsFile.Found] = []
  }

  /// The sources, our own store first.
  ///
  /// If our own store knows the host, it decides alone.
  let sources: [Source]

  /// The algorithms of the recorded keys that decide, which are requested first.
  ///
  /// A host with several keys then presents the recorded one.
  public var algorithms: [String] {
    let deciding = Self.first(sources.map(\.named)) ?? Self.first(sources.map(\.portless)) ?? []
    var names: [String] = []
    for recorded in deciding {
      let type = recorded.key.algorithm
      // An RSA key signs in several ways; SHA-1 is not requested.
      let signed = HostKey.family(type) == "ssh-rsa" ? ["rsa-sha2-512", "rsa-sha2-256"] : [type]
      names += signed.filter { !names.contains($0) }
    }
    return names
  }

  /// Returns the verdict on the key that the host presents.
  ///
  /// It is at least as strict as OpenSSH with `StrictHostKeyChecking=accept-new`. The rules apply
  /// in this order: A key that is revoked in any source is refused. Every key is refused while a
  /// line for the host cannot be parsed. If our own store knows the host, it decides; otherwise the
  /// user's files do. An unknown host on a port other than 22 is trusted if its key is recorded
  /// under the name without the port. A certificate is never trusted, because its signer is not
  /// checked.
  public func verdict(on key: HostKey) -> TrustVerdict {
    let named = sources.flatMap(\.named)
    for found in named + sources.flatMap(\.portless) where found.statement == .revoked(key) {
      return .revoked(found.place)
    }
    for found in named {
      if case .unreadable(let reason) = found.statement {
        return .unreadable(found.place, reason: reason)
      }
    }
    if let recorded = Self.first(sources.map(\.named)) {
      let place = Self.place(of: key, in: recorded)
      return place.map { .trusted($0) } ?? .changed(recorded)
    }
    let bare = Self.first(sources.map(\.portless)) ?? []
    return Self.place(of: key, in: bare).map { .trusted($0) } ?? .unknown
  }

  private static func place(of key: HostKey, in recorded: [RecordedKey]) -> FilePlace? {
    key.isCertificate ? nil : recorded.first { $0.key == key }?.place
  }

  /// Returns the keys in the first source that has any; nil if no source has any.
  private static func first(_ sources: [[KnownHostsFile.Found]]) -> [RecordedKey]? {
    sources.lazy.map { found in
      found.compactMap { one in
        guard case .recorded(let key) = one.statement else { return nil }
        return RecordedKey(key: key, place: one.place)
      }
    }.first { !$0.isEmpty }
  }
}
