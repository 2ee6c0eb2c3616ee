/// The recorded keys of one host, in our own store and in the user's files.
public struct HostRecord: Sendable {
  /// The entries of one source, in their order.
  struct Source: Sendable {
    /// Entries for the host's name.
    var named: [KnownHostsFile.Found] = []
    /// Entries for the host without its port.
    var portless: [KnownHostsFile.Found] = []
  }

  /// The sources, our own store first.
  ///
  /// It decides for the hosts that it knows.
  let sources: [Source]

  /// The host key algorithms to request first: those of the recorded keys that decide.
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

  /// Returns the verdict on the key that the host presents, at least as strict as OpenSSH's with
  /// `StrictHostKeyChecking=accept-new`.
  ///
  /// The rules apply in this order: A key that is revoked anywhere is refused. Every key is refused
  /// while a line for the host cannot be parsed. Our own store decides if it knows the host,
  /// otherwise the user's files. An unknown host on another port is trusted if its key is recorded
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

  /// Returns the keys of the first source that has keys; nil if no source has any.
  private static func first(_ sources: [[KnownHostsFile.Found]]) -> [RecordedKey]? {
    sources.lazy.map { found in
      found.compactMap { one in
        guard case .recorded(let key) = one.statement else { return nil }
        return RecordedKey(key: key, place: one.place)
      }
    }.first { !$0.isEmpty }
  }
}
