/// A name that a Swift file gives to something outside of any function.
struct Declaration: Equatable {
  enum Kind: Equatable {
    /// A type, with the type that it is nested in.
    case type(in: String?)
    /// A function, constant or variable of its own.
    case global
    /// A member that stands in the type's own braces.
    case member(of: String)
    /// A member that an extension adds.
    case addition(to: String)
  }

  var name: String
  var kind: Kind
  var line: Int
  /// Whether no other file can see it.
  var isPrivate: Bool
}

/// What a Swift file declares, and within which types each of its words stands.
struct FileDeclarations {
  private struct Scope {
    var owner: String?
    var isExtension = false
    var isPrivate = false
  }

  let file: SourceFile
  let tokens: [Token]
  /// For each token, the types whose braces it stands in, outermost first.
  private(set) var owners: [[String]] = []
  private(set) var all: [Declaration] = []
  /// The names of parameters, constants and variables, wherever they stand.
  private(set) var introduced: Set<String> = []

  private var scopes: [Scope] = []
  private var pending: Scope?

  init(_ file: SourceFile) {
    self.file = file
    tokens = TokenScanner.tokens(of: file)
    for index in tokens.indices {
      read(at: index)
      owners.append(scopes.compactMap(\.owner))
    }
  }

  func text(_ index: Int) -> String {
    tokens.indices.contains(index) ? tokens[index].text : ""
  }

  private mutating func read(at index: Int) {
    switch tokens[index].text {
    case "{":
      scopes.append(pending ?? Scope())
      pending = nil
    case "}": _ = scopes.popLast()
    case "struct", "class", "enum", "actor", "protocol", "typealias", "associatedtype":
      readType(at: index)
    case "extension": readExtension(at: index)
    case "func", "var", "let", "case": readMember(at: index)
    case ":" where tokens.indices.contains(index - 1) && tokens[index - 1].isWord,
      "in" where text(index - 1) != ")":
      introduced.insert(text(index - 1))
    default: break
    }
  }

  private mutating func readType(at index: Int) {
    let word = tokens[index].text
    guard let name = name(after: index), isDeclaration(index), text(index - 1) != "import" else {
      return
    }
    let isPrivate = isPrivate(at: index)
    if isOutsideFunctions {
      let kind = Declaration.Kind.type(in: scopes.last?.owner)
      all.append(
        Declaration(name: name, kind: kind, line: tokens[index].line, isPrivate: isPrivate))
    }
    if word != "typealias", word != "associatedtype" {
      pending = Scope(owner: name, isPrivate: isPrivate)
    }
  }

  private mutating func readExtension(at index: Int) {
    guard var name = name(after: index), isDeclaration(index) else { return }
    var last = index + 1
    while text(last + 1) == ".", let next = self.name(after: last + 1) {
      name = next
      last += 2
    }
    pending = Scope(owner: name, isExtension: true, isPrivate: isPrivate(at: index))
  }

  private mutating func readMember(at index: Int) {
    guard let name = name(after: index), isDeclaration(index) else { return }
    let word = tokens[index].text
    if word != "func" { introduced.insert(name) }
    guard isOutsideFunctions else {
      introduced.insert(name)
      return
    }
    let kind: Declaration.Kind
    if let scope = scopes.last, let owner = scope.owner {
      kind = scope.isExtension ? .addition(to: owner) : .member(of: owner)
    } else if word != "case" {
      kind = .global
    } else {
      return
    }
    all.append(
      Declaration(
        name: name, kind: kind, line: tokens[index].line, isPrivate: isPrivate(at: index)))
  }

  /// Whether the word declares something: `.class` and `case .extension` do not.
  private func isDeclaration(_ index: Int) -> Bool {
    text(index - 1) != "." && text(index + 1) != ":"
  }

  private var isOutsideFunctions: Bool {
    scopes.allSatisfy { $0.owner != nil }
  }

  private func name(after index: Int) -> String? {
    let next = index + 1
    guard tokens.indices.contains(next), tokens[next].isWord else { return nil }
    return ["func", "var", "let", "subscript", "init", "case"].contains(text(next))
      ? nil : text(next)
  }

  /// Whether a modifier before the word, or a scope around it, hides the declaration.
  private func isPrivate(at index: Int) -> Bool {
    let modifiers: Set = [
      "public", "package", "internal", "static", "final", "indirect", "mutating", "nonmutating",
      "nonisolated", "override", "lazy", "weak", "borrowing", "consuming", "class",
    ]
    var before = index - 1
    while modifiers.contains(text(before)) { before -= 1 }
    return ["private", "fileprivate"].contains(text(before)) || scopes.contains { $0.isPrivate }
  }
}
