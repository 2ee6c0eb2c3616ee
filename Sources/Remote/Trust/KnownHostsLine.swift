import Core

/// An entry of OpenSSH's known_hosts: `[@marker] names algorithm key comment`.
///
/// Fields are separated by blanks and tabs (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT).
struct KnownHostsLine {
  /// The marker before the names.
  enum Marker: Equatable {
    case none, authority, revoked
    /// A marker that OpenSSH does not define, or more than one marker.
    case unknown
  }

  /// A statement that a line makes about a host that it names.
  enum Statement: Equatable {
    case recorded(HostKey)
    case revoked(HostKey)
    /// The entry cannot be parsed, for the given reason.
    case unreadable(String)
  }

  /// The whole line, without its line feed.
  let bytes: ArraySlice<UInt8>
  let marker: Marker
  let names: NameList
  /// The bytes of the line after the names.
  let rest: ArraySlice<UInt8>
  /// `true` if the line has bytes that are not text.
  ///
  /// Programs may split such a line differently.
  let isDamaged: Bool

  /// Parses the given line; returns nil for a comment or a line without names.
  ///
  /// - Parameters:
  ///   - bytes: The line without its line feed.
  ///   - isMarked: `true` if a byte order mark precedes the line.
  init?(_ bytes: ArraySlice<UInt8>, isMarked: Bool = false) {
    self.bytes = bytes
    isDamaged = isMarked || bytes.contains(0)
    var rest = bytes.drop(while: Self.isBetweenFields)
    var markers: [ArraySlice<UInt8>] = []
    while rest.first == UInt8(ascii: "@") { markers.append(Self.field(&rest)) }
    guard let first = rest.first, !markers.isEmpty || first != UInt8(ascii: "#") else {
      return nil
    }
    marker =
      switch markers.map({ String(decoding: $0, as: UTF8.self) }) {
      case []: .none
      case ["@cert-authority"]: .authority
      case ["@revoked"]: .revoked
      default: .unknown
      }
    names = NameList(bytes: Self.field(&rest))
    self.rest = rest
  }

  /// Returns the line's statement about the host with the given lower-case name.
  ///
  /// It is nil if the line does not name the host. A certificate authority's line states nothing
  /// about the host's own key.
  ///
  /// - Throws: As `HashedName.matches(_:_:)`.
  func statement(on name: [UInt8]) throws(Failure) -> Statement? {
    let answer = try names.answer(name)
    if isDamaged {
      for field in bytes.split(whereSeparator: Self.isBetweenFields)
      where try NameList(bytes: field).answer(name) != .isNotNamed {
        return .unreadable("it contains bytes that are not text")
      }
      return nil
    }
    switch (answer, marker) {
    case (.isNotNamed, _): return nil
    case (.isNamedBeyondReach, _): return .unreadable("one of its patterns is too long")
    case (_, .unknown): return .unreadable("its marker is unknown")
    default: break
    }
    var rest = rest
    let type = String(decoding: Self.field(&rest), as: UTF8.self)
    let digits = Self.field(&rest)
    guard !type.isEmpty, !digits.isEmpty else { return .unreadable("it ends before its key") }
    guard let key = HostKey(base64: digits) else {
      return .unreadable("its key cannot be decoded")
    }
    guard HostKey.family(type) == HostKey.family(key.algorithm) else {
      return .unreadable("its key does not have the stated type")
    }
    switch marker {
    case .none: return .recorded(key)
    case .revoked where key.isCertificate:
      return .unreadable("it revokes a certificate, which may also revoke a key")
    case .revoked: return .revoked(key)
    case .authority, .unknown: return nil
    }
  }

  /// Returns the line without the given name; nil if no other name remains.
  ///
  /// A pattern that matches the name is kept. Beside it, a negated pattern then excludes the name.
  func withoutName(_ name: [UInt8]) -> [UInt8]? {
    guard !names.isHashed else { return nil }
    var kept = names.patterns.filter { $0.map(\.lowercased) != name }
    guard kept.contains(where: { $0.first != UInt8(ascii: "!") && !$0.isEmpty }) else {
      return nil
    }
    let isStillNamed = kept.contains {
      $0.first != UInt8(ascii: "!") && NamePattern.matches(name, $0.map(\.lowercased))
    }
    if isStillNamed { kept.insert([UInt8(ascii: "!")] + name, at: 0) }
    let before = bytes[..<names.bytes.startIndex]
    let after = bytes[names.bytes.endIndex...]
    return Array(before) + kept.joined(separator: [UInt8(ascii: ",")]) + after
  }

  /// Removes the next field and the separator after it from `rest`, and returns the field.
  private static func field(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let field = rest.prefix { !isBetweenFields($0) }
    rest = rest[field.endIndex...].drop(while: isBetweenFields)
    return field
  }

  private static func isBetweenFields(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0
  }
}
