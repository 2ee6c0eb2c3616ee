import Core

/// The criteria of a `Match` line (ssh_config(5)), all of which must hold.
struct MatchLine: Sendable {
  /// The state of the configuration's evaluation, with which criteria are compared.
  struct Subject {
    /// The host as the user typed it.
    var typed: String
    /// The host to connect to, as far as the lines before set it.
    var target: String
    /// The user to log in as, as far as the lines before set it.
    var user: String
    /// The local user's name.
    var localUser: String
    /// `true` if the configuration is read again with the final name of the host.
    var isFinal: Bool
  }

  private enum Kind: String {
    case all, final, canonical, host, originalhost, user, localuser

    var hasValue: Bool { ![.all, .final, .canonical].contains(self) }
  }

  private struct Criterion {
    var kind: Kind
    var isNegated: Bool
    var patterns = NamePatterns("")
  }

  private var criteria: [Criterion] = []
  /// `true` if each criterion is supported; a line with another one never holds.
  private(set) var isSupported = true
  /// `true` if the line asks for a second reading with the final name of the host.
  private(set) var wantsFinal = false

  /// Parses the given words.
  ///
  /// - Throws: `BadConfiguration` if a criterion has no value, or if `all` is combined.
  init(_ words: [String], at place: FilePlace) throws(Failure) {
    var words = words[...]
    while let word = words.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let isNegated = parts[0].hasPrefix("!")
      let name = parts[0].dropFirst(isNegated ? 1 : 0).lowercased()
      let kind = Kind(rawValue: name)
      if kind == nil { isSupported = false }
      var criterion = Criterion(kind: kind ?? .all, isNegated: isNegated)
      if kind?.hasValue ?? true {
        // As after a keyword, an equals sign may stand before the value.
        var value = parts.count > 1 ? String(parts[1]) : ""
        if value.isEmpty { value = words.popFirst() ?? "" }
        if parts.count == 1, value.hasPrefix("=") { value = String(value.dropFirst()) }
        if parts.count == 1, value.isEmpty { value = words.popFirst() ?? "" }
        guard !value.isEmpty else {
          throw SSHConfigReader.failure(place, "'\(Visible.text(word))' has no value")
        }
        let isHost = kind == .host || kind == .originalhost
        criterion.patterns = NamePatterns(isHost ? value.lowercased() : value)
      }
      if kind == .final { wantsFinal = true }
      criteria.append(criterion)
    }
    guard !isSupported || criteria.count == 1 || !criteria.contains(where: { $0.kind == .all })
    else { throw SSHConfigReader.failure(place, "'all' must be the only criterion") }
  }

  /// Returns `true` if all criteria hold.
  func holds(_ subject: Subject) -> Bool {
    isSupported
      && criteria.allSatisfy { criterion in
        let isMet =
          switch criterion.kind {
          case .all: true
          case .final, .canonical: subject.isFinal
          case .host: criterion.patterns.match(subject.target.lowercased())
          case .originalhost: criterion.patterns.match(subject.typed.lowercased())
          case .user: criterion.patterns.match(subject.user)
          case .localuser: criterion.patterns.match(subject.localUser)
          }
        return isMet != criterion.isNegated
      }
  }
}

/// Patterns of names, some of which may begin with `!`.
struct NamePatterns: Sendable {
  private var wanted: [[UInt8]] = []
  private var excluded: [[UInt8]] = []

  /// Creates the patterns from a list with commas.
  init(_ list: String) { self.init(list.split(separator: ",").map(String.init)) }

  /// Creates the given patterns.
  init(_ patterns: [String]) {
    for pattern in patterns {
      if pattern.hasPrefix("!") {
        excluded.append(Array(pattern.utf8.dropFirst()))
      } else {
        wanted.append(Array(pattern.utf8))
      }
    }
  }

  /// Returns `true` if a pattern matches the given name, and none with `!` does.
  func match(_ name: String) -> Bool {
    let name = Array(name.utf8)
    return !excluded.contains { NamePattern.matches(name, $0) }
      && wanted.contains { NamePattern.matches(name, $0) }
  }
}
