/// A target imports what `Package.swift` gives it, and all of it.
struct ImportRule {
  /// What every target may import: the platform.
  static let platform: Set = [
    "Foundation", "FoundationEssentials", "Dispatch", "Synchronization", "Glibc", "Musl", "Darwin",
  ]
  /// What comes with a library, or stands in for it on Apple's systems.
  static let companions = ["Cryptography": ["Security"], "GRDB": ["GRDBSQLite"]]
  /// What a tool is given without asking, whether its job needs it or not.
  static let given: Set = ["Core", "Command", "ArgumentParser"]

  let package: PackageTable

  /// What the package's targets depend on against the plan of the house.
  func violationsOfPackage() -> [Violation] {
    package.targets.flatMap { target in
      target.dependencies.compactMap { dependency in
        reason(against: dependency, of: target).map {
          Violation(path: "Package.swift", reason: $0)
        }
      }
    }
  }

  private func reason(against dependency: String, of target: PackageTable.Target) -> String? {
    // One room calls a C library. C libraries may share a part.
    if Self.isC(dependency), !Self.isC(target.name),
      let first = package.targets.first(where: { other in
        other.dependencies.contains(dependency) && !Self.isC(other.name)
      }), first.name != target.name
    {
      return "'\(dependency)' belongs to '\(first.name)', and '\(target.name)' depends on it too"
    }
    if target.kind == .library, dependency == "Command" {
      return "'\(target.name)' is a library, and 'Command' is for executables"
    }
    if target.kind == .library, target.name != "Command", dependency == "ArgumentParser" {
      return "'\(target.name)' may not depend on 'ArgumentParser'"
    }
    return nil
  }

  /// Whether a module is a C library's: `CCurl`, not `Core`.
  static func isC(_ module: String) -> Bool {
    module.first == "C" && module.dropFirst().first?.isUppercase == true
  }

  /// What a file imports past its target's dependencies.
  func violations(in file: SourceFile) -> [Violation] {
    guard let target = package.target(of: file.path) else {
      guard let folder = file.target else { return [] }
      return [Violation(path: file.path, reason: "the target '\(folder)' is not in Package.swift")]
    }
    let depended = target.dependencies.flatMap { [$0] + (Self.companions[$0] ?? []) }
    var allowed = Self.platform.union(depended)
    if target.kind == .tests { allowed.insert("Testing") }
    return Self.imports(of: file).filter { !allowed.contains($0.module) }.map {
      Violation(
        path: file.path, line: $0.line, reason: "'\(target.name)' may not import '\($0.module)'")
    }
  }

  /// The dependencies that no file of their target imports.
  func idle(among files: [SourceFile]) -> [Violation] {
    let imported = Dictionary(grouping: files) { package.target(of: $0.path)?.name }
      .mapValues { Set($0.flatMap(Self.imports).map(\.module)) }
    return package.targets.filter { !Self.isC($0.name) }.flatMap { target in
      let needless = Set(target.dependencies).subtracting(imported[target.name] ?? [])
        .subtracting(target.kind == .tool ? Self.given : [])
      return needless.sorted().map {
        Violation(
          path: "Package.swift",
          reason: "'\(target.name)' depends on '\($0)', and no file of it imports that")
      }
    }
  }

  /// The modules that a file imports: `@testable public import struct Core.Failure` imports Core.
  static func imports(of file: SourceFile) -> [(module: String, line: Int)] {
    guard file.lines.contains(where: { $0.contains("import ") }) else { return [] }
    let kinds: Set = [
      "typealias", "struct", "class", "enum", "protocol", "let", "var", "func", "actor",
    ]
    let tokens = TokenScanner.tokens(of: file)
    return tokens.indices.compactMap { index in
      guard tokens[index].text == "import", index == 0 || tokens[index - 1].text != "." else {
        return nil
      }
      let module = tokens[(index + 1)...].first { !kinds.contains($0.text) }
      return module.map { ($0.text, $0.line) }
    }
  }
}
