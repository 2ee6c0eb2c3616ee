/// The names that a module's folders declare, and where a file names one of a floor above it.
///
/// Types are found wherever they are named, nested ones after their owner's name or in its braces;
/// functions of their own by name; members that an extension adds to another folder's type after a
/// dot if only one folder declares them, and in the braces of their type.
///
/// It does not see an initializer, a subscript, an operator or a conformance that an extension adds,
/// nor a member whose name something else in `Sources` has too, or that `FloorRule.common` lists.
/// What a type declares in its own braces needs no look: its value cannot be had without the type.
struct FloorNames {
  private struct Place: Hashable {
    var folder: String
    var owner: String?
  }

  private let floors: Floors
  private var types: [String: Set<Place>] = [:]
  private var globals: [String: Set<String>] = [:]
  private var additions: [String: Set<Place>] = [:]
  /// What types declare in their own braces, as cases too.
  private var members: Set<String> = []
  private let isCommon: (String) -> Bool

  init(_ files: [FileDeclarations], floors: Floors, isCommon: @escaping (String) -> Bool) {
    self.floors = floors
    self.isCommon = isCommon
    for file in files {
      let folder = file.file.folder ?? Floors.door
      for one in file.all {
        switch one.kind {
        case .member: members.insert(one.name)
        case _ where one.isPrivate: break
        case .type(let owner):
          types[one.name, default: []].insert(Place(folder: folder, owner: owner))
        case .global: globals[one.name, default: []].insert(folder)
        case .addition(let owner):
          additions[one.name, default: []].insert(Place(folder: folder, owner: owner))
        }
      }
    }
  }

  /// What a file names of the floors that it may not know: each name once.
  func violations(in file: FileDeclarations) -> [Violation] {
    let folder = file.file.folder ?? Floors.door
    let own = Set(file.all.filter(\.isPrivate).map(\.name))
    var told: Set<String> = []
    return file.tokens.indices.compactMap { index in
      let token = file.tokens[index]
      guard token.isWord, !own.contains(token.text), file.text(index - 1) != "import",
        let other = folderNamed(at: index, in: file), !floors.knows(folder, other),
        told.insert(token.text).inserted
      else { return nil }
      let how = floors.heights[folder] == floors.heights[other] ? "beside" : "above"
      return Violation(
        path: file.file.path, line: token.line,
        reason: "'\(token.text)' is of \(floors.title(other)), \(how) \(floors.title(folder))")
    }
  }

  /// The folder whose name stands there, if that is one folder's for certain.
  private func folderNamed(at index: Int, in file: FileDeclarations) -> String? {
    let name = file.tokens[index].text
    return typeFolder(name, at: index, in: file) ?? globalFolder(name, at: index, in: file)
      ?? additionFolder(name, at: index, in: file)
  }

  private func typeFolder(_ name: String, at index: Int, in file: FileDeclarations) -> String? {
    guard let places = types[name] else { return nil }
    if file.text(index - 1) == "." {
      let owner = file.text(index - 2)
      return places.first { $0.owner == owner }?.folder
    }
    let owners = file.owners[index]
    let nested = places.first { $0.owner.map(owners.contains) ?? false }
    return (nested ?? places.first { $0.owner == nil })?.folder
  }

  private func globalFolder(_ name: String, at index: Int, in file: FileDeclarations) -> String? {
    guard let folders = globals[name], folders.count == 1, file.text(index - 1) != ".",
      file.text(index - 1) != "func", file.text(index + 1) != ":", !file.introduced.contains(name),
      !members.contains(name), additions[name] == nil
    else { return nil }
    return folders.first
  }

  /// A type that is declared in the folder whose extension adds the member needs no second look.
  private func additionFolder(_ name: String, at index: Int, in file: FileDeclarations) -> String? {
    guard let places = additions[name]?.filter({ !declares($0.owner, in: $0.folder) }),
      file.text(index + 1) != ":"
    else { return nil }
    if file.text(index - 1) == "." {
      let folders = Set((additions[name] ?? []).map(\.folder))
      return folders.count == 1 && !members.contains(name) && globals[name] == nil
        && !isCommon(name) ? places.first?.folder : nil
    }
    guard file.text(index - 1) != "func", !file.introduced.contains(name) else { return nil }
    let inOwner = places.filter { $0.owner.map(file.owners[index].contains) ?? false }
    return Set(inOwner.map(\.folder)).count == 1 ? inOwner.first?.folder : nil
  }

  private func declares(_ type: String?, in folder: String) -> Bool {
    guard let type else { return false }
    return types[type]?.contains { $0.folder == folder } ?? false
  }
}
