/// Core is small without its records: what one room alone uses stands in that room.
struct CoreRule {
  static let mostLines = 4_000
  static let folder = "Sources/Core/"
  /// Where every record type stands, whoever uses it.
  static let models = "Models"
  static let fewestTargets = 2

  static func violations(among files: [SourceFile]) -> [Violation] {
    let core = files.filter { $0.path.hasPrefix(folder) && $0.path.hasSuffix(".swift") }
    let loose = core.filter { $0.folder == nil }.map {
      Violation(path: $0.path, reason: "lies in none of Core's folders")
    }
    return length(of: core) + loose + unshared(core, among: files)
  }

  private static func length(of core: [SourceFile]) -> [Violation] {
    let lines = core.filter { $0.folder != models }.reduce(0) { $0 + $1.lines.count }
    guard lines >= mostLines else { return [] }
    return [
      Violation(
        path: "Sources/Core",
        reason: "has \(lines) lines without its records, fewer than \(mostLines) are allowed")
    ]
  }

  /// The files, but for the records, that fewer than two other targets use.
  private static func unshared(_ core: [SourceFile], among files: [SourceFile]) -> [Violation] {
    let uses = CoreUses(core, among: files)
    return core.filter { $0.folder != models }.compactMap { file in
      let users = uses.targets(of: file.path)
      guard users.count < fewestTargets else { return nil }
      let reason = users.first.map { "is used by '\($0)' alone" } ?? "is used by no other target"
      return Violation(path: file.path, reason: reason)
    }
  }
}

/// Which targets use a file of Core, by the names that it declares.
///
/// A target that uses one file of Core uses what that file names too: a part that only Core's own
/// files name is as shared as they are. A name that something else has as well can only find too
/// many users.
struct CoreUses {
  private var users: [String: Set<String>] = [:]

  init(_ core: [SourceFile], among files: [SourceFile]) {
    let words = Dictionary(grouping: files.filter { $0.target != "Core" && $0.target != nil }) {
      $0.target ?? ""
    }
    .mapValues { Set($0.flatMap(TokenScanner.tokens).filter(\.isWord).map(\.text)) }
    let parsed = core.map(FileDeclarations.init)
    let names = parsed.map(Self.names)
    for (file, names) in zip(parsed, names) {
      users[file.file.path] = Set(words.filter { !$0.value.isDisjoint(with: names) }.keys)
    }
    let used = parsed.map { file in Set(file.tokens.filter(\.isWord).map(\.text)) }
    var isChanged = true
    while isChanged {
      isChanged = false
      for (user, words) in zip(parsed, used) {
        for (file, names) in zip(parsed, names) where !words.isDisjoint(with: names) {
          isChanged = hand(on: user.file.path, to: file.file.path) || isChanged
        }
      }
    }
  }

  func targets(of path: String) -> [String] {
    (users[path] ?? []).sorted()
  }

  private mutating func hand(on user: String, to path: String) -> Bool {
    guard user != path else { return false }
    let before = users[path]?.count ?? 0
    users[path, default: []].formUnion(users[user] ?? [])
    return users[path]?.count != before
  }

  private static func names(_ file: FileDeclarations) -> Set<String> {
    Set(
      file.all.filter { one in
        switch one.kind {
        case .member: false
        case .type(in: nil), .global: !one.isPrivate
        case .type, .addition: !one.isPrivate && !FloorRule.common.contains(one.name)
        }
      }.map(\.name))
  }
}
