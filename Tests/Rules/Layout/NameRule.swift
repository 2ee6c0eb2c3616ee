/// Names that a reader cannot mistake: each type has one of its own, and a call says what is what.
struct NameRule {
  /// Types of the language and of the libraries we use: one of ours would hide them.
  static let taken: Set = [
    "Actor", "Array", "Character", "Clock", "Codable", "Configuration", "Data", "Database", "Date",
    "Dictionary", "Duration", "Error", "Pipe", "Process", "Result", "Row", "Set", "Statement",
    "String", "Task", "Thread", "Timer", "URL", "UUID",
  ]
  /// More unlabelled parameters are read as a list, not as a sentence.
  static let mostUnlabelled = 3

  /// Types, outside of others, that another type is called as well.
  static func types(among files: [SourceFile]) -> [Violation] {
    var known: [String: [Violation]] = [:]
    var found: [Violation] = []
    for declarations in files.map(FileDeclarations.init) {
      let path = declarations.file.path
      for type in declarations.all where type.kind == .type(in: nil) {
        if taken.contains(type.name) {
          found.append(
            Violation(
              path: path, line: type.line,
              reason: "'\(type.name)' is a type of the language or of a library"))
        }
        // One of them is left out on each system.
        let place = path.replacing("+Darwin", with: "").replacing("+Linux", with: "")
        guard !type.isPrivate, known[type.name]?.first?.path != place else { continue }
        known[type.name, default: []].append(
          Violation(path: place, line: type.line, reason: "another type is called '\(type.name)'"))
      }
    }
    return found + known.values.filter { $0.count > 1 }.flatMap(\.self)
  }

  /// Functions whose calls do not say what is what.
  static func calls(in file: SourceFile) -> [Violation] {
    let tokens = TokenScanner.tokens(of: file)
    return tokens.indices.compactMap { index in
      guard ["func", "init"].contains(tokens[index].text),
        index == 0 || tokens[index - 1].text != ".",
        let open = tokens[index...].prefix(60).firstIndex(where: { $0.text == "(" }),
        !tokens[index..<open].contains(where: {
          ["{", "=", ":"].contains($0.text) && $0.line != tokens[index].line
        })
      else { return nil }
      let count = unlabelled(tokens[(open + 1)...])
      guard count > mostUnlabelled else { return nil }
      return Violation(
        path: file.path, line: tokens[index].line,
        reason: "\(count) parameters have no label, \(mostUnlabelled) may have none")
    }
  }

  /// How many parameters of a list begin with `_`, up to the bracket that closes it.
  private static func unlabelled(_ tokens: ArraySlice<Token>) -> Int {
    var depth = 0
    var count = 0
    var begins = true
    for token in tokens {
      switch token.text {
      case "(", "[", "{": depth += 1
      case ")", "]", "}":
        if depth == 0 { return count }
        depth -= 1
      case "_" where begins && depth == 0: count += 1
      default: break
      }
      begins = depth == 0 && token.text == ","
    }
    return count
  }
}
