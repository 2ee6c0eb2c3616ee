/// All that is recorded of one host, in our own store and in the user's files.
public struct HostRecord: Sendable {
  /// What a source says, in its order.
  struct Source: Sendable {
    /// Of the host by its name.
    var named: [KnownHostsFile.Found] = []
    /// Of the host without its port.
    var portless: [KnownHostsFile.Found] = []
  }

  /// Ours first: it decides for the hosts that it knows.
  let sources: [Source]

  /// The host key algorithms to ask the host for first: those of the keys that decide.
  ///
  /// A host with several keys then shows the one that is recorded.
  public var algorithms: [String] {
    let deciding = Self.first(sources.map(\.named)) ?? Self.first(sources.map(\.portless)) ?? []
    var names: [String] = []
    for recorded in deciding {
      let type = recorded.key.algorithm
      // One kind of key signs in several ways; SHA-1 is none of them.
      let signed = HostKey.family(type) == "ssh-rsa" ? ["rsa-sha2-512", "rsa-sha2-256"] : [type]
      names += signed.filter { !names.contains($0) }
    }
    return names
  }

  /// What is known of a key that the host offers: what OpenSSH says with
  /// `StrictHostKeyChecking=accept-new`, or stricter.
  ///
  /// A key that is revoked anywhere is refused, and so is every key while a line for the host cannot
  /// be read. Then our own store decides, if it knows the host, else the user's files. A host on
  /// another port that nothing is known of is trusted by a key that stands under its bare name. A
  /// certificate is never trusted: we do not judge who signed it.
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

  /// The keys that the first source has that has any.
  private static func first(_ sources: [[KnownHostsFile.Found]]) -> [RecordedKey]? {
    sources.lazy.map { found in
      found.compactMap { one in
        guard case .recorded(let key) = one.statement else { return nil }
        return RecordedKey(key: key, place: one.place)
      }
    }.first { !$0.isEmpty }
  }
}
