import Core

/// A text of a request that may be the path of a file, or of several files if it has wildcards.
struct FileWord: Sendable {
  /// The forms in which a rule may name the path, with `*` for what is unknown.
  private let forms: [[Unicode.Scalar]]
  /// `true` if the text names one file, and is no other word.
  let isClear: Bool
  /// `true` if the path is that of a folder.
  private let isFolder: Bool

  /// Creates the word of a path, which is relative to one of the given folders.
  init(_ text: String, in folders: [String]) {
    // Some programs expand braces, also between quotes.
    let path = Self.cut(text, at: "{")
    let marks = "*?[".unicodeScalars
    let names = path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
      .map { String($0) }
    let last = names.last ?? ""
    let hasWildcard = path.unicodeScalars.contains(where: marks.contains)
    isFolder = ["", ".", "..", "~"].contains(last)
    isClear = !hasWildcard && path.unicodeScalars.contains { "/.~".unicodeScalars.contains($0) }
    // A name such as `.?` may be `..`.
    let mayLeave =
      last.hasPrefix(".") && last.unicodeScalars.dropFirst().first.map(marks.contains) ?? false
    guard path.unicodeScalars.count <= Self.longest, !mayLeave else {
      forms = [["*"]]
      return
    }
    let isUnknown = names.dropLast().contains { $0.unicodeScalars.contains(where: marks.contains) }
    let name = isFolder ? "*" : last
    let texts =
      isUnknown ? ["*/" + name, name] : FilePath.forms(Self.cut(path, at: "["), in: folders)
    forms = texts.map { text in
      Self.cut(text, at: "[").unicodeScalars.map { $0 == "?" ? "*" : $0 }
    }
  }

  /// The length of the longest path that is examined, which is that of Linux.
  static let longest = 4096

  /// Returns the given text with `*` in place of the first such bracket and what follows it.
  private static func cut(_ text: String, at bracket: Unicode.Scalar) -> String {
    let start = text.unicodeScalars.prefix { $0 != bracket }
    return String(start) + (start.count < text.unicodeScalars.count ? "*" : "")
  }

  /// Returns `true` if the word may be a path that the given pattern matches.
  func mayBe(_ pattern: [Unicode.Scalar]) -> Bool {
    forms.contains { Self.meet($0, pattern) }
  }

  /// Returns `true` if the word may be a folder with files that the given pattern matches.
  func mayContain(_ pattern: [Unicode.Scalar]) -> Bool {
    let known = pattern.prefix { $0 != "*" && $0 != "?" }
    let folders = known.indices.filter { known[$0] == "/" }
      .map { $0 == 0 ? ["/"] : Array(known[..<$0]) }
    let isRelative = known.first.map { $0 != "/" && $0 != "~" } ?? false
    return (folders + (isRelative ? [["."]] : [])).contains(where: mayBe)
      || isFolder
        && forms.contains { Self.meet($0 + ($0.last == "/" ? ["*"] : ["/", "*"]), pattern) }
  }

  /// Returns `true` if a text exists that both patterns match.
  private static func meet(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Bool {
    // For each place of the second pattern: `true` if a text leads to it and to `at`.
    var row = Array(repeating: false, count: second.count + 1)
    row[0] = true
    for at in 0...first.count {
      var next = Array(repeating: false, count: second.count + 1)
      for place in 0...second.count where row[place] {
        let one = at < first.count ? first[at] : nil
        let two = place < second.count ? second[place] : nil
        if one == "*" { next[place] = true }
        if two == "*" { row[place + 1] = true }
        if one == "*", two != nil { row[place + 1] = true }
        if two == "*", one != nil { next[place] = true }
        if let one, let two, one == two || one == "?" || two == "?" { next[place + 1] = true }
      }
      if at == first.count { return row[second.count] }
      row = next
    }
    return false
  }
}
