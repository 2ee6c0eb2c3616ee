/// The targets of `Package.swift`, and what each may import: there is no second list.
struct PackageTable {
  struct Target: Equatable {
    enum Kind { case system, library, program, tool, tests }

    var name: String
    var kind: Kind
    /// The modules that it depends on, a product by its module's name.
    var dependencies: [String]
    /// The folder of its sources.
    var path: String
  }

  let targets: [Target]

  /// Reads the forms that our `Package.swift` has: `library(…)`, `tests(…)`, `judge(…)`, rows of `tools`, and
  /// targets whose name is a literal.
  ///
  /// Tests that name no path are a library's, in `Tests/Units`.
  init(_ file: SourceFile) {
    let whole = file.code.map(\.text).joined(separator: "\n")
    let products = Self.products(in: whole)
    let text = Self.withoutCalls(whole)
    targets =
      Self.named(in: text, products) + Self.short(in: text, products)
      + Self.tools(in: text, products)
  }

  /// The names of the tools, in their table's order.
  var tools: [String] {
    targets.filter { $0.kind == .tool }.map(\.name)
  }

  /// The target that a file is a source of.
  func target(of path: String) -> Target? {
    targets.filter { path.hasPrefix("\($0.path)/") }.max { $0.path.count < $1.path.count }
  }

  private static func products(in text: String) -> [String: String] {
    let form = #/let (\w+): Target\.Dependency = \.product\(\s*name: "(\w+)"/#
    return Dictionary(
      uniqueKeysWithValues: text.matches(of: form).map { (String($0.1), String($0.2)) })
  }

  /// A product that is named where it is needed, `nio("NIOCore")` or `.product(…)`, as its name alone.
  private static func withoutCalls(_ text: String) -> String {
    text.replacing(#/nio\("(\w+)"\)/#) { "\"\($0.1)\"" }
      .replacing(#/\.product\(\s*name: "(\w+)",\s*package: "[^"]+"\)/#) { "\"\($0.1)\"" }
  }

  private static func list(_ text: Substring?, _ products: [String: String]) -> [String] {
    (text ?? "").split(whereSeparator: { $0 == "," || $0.isWhitespace }).map { word in
      word.hasPrefix("\"")
        ? String(word.filter { $0 != "\"" }) : products[String(word)] ?? "\(word)"
    }
  }

  /// `.target(name: "A", dependencies: [...], path: "P")` and its like.
  private static func named(in text: String, _ products: [String: String]) -> [Target] {
    let form = #/\.(target|executableTarget|systemLibrary)\(\s*name: "([\w-]+)"([^()]*)/#
    return text.matches(of: form).map { match in
      let name = String(match.2)
      let kinds: [Substring: Target.Kind] = ["systemLibrary": .system, "target": .library]
      return Target(
        name: name, kind: kinds[match.1] ?? .program,
        dependencies: list(match.3.firstMatch(of: #/dependencies: \[([^\]]*)\]/#)?.1, products),
        path: path(in: match.3) ?? "Sources/\(name)")
    }
  }

  /// `library("A", [...])`, `tests("A", [...], path: "P")` and `judge("a", [...], path: "P")`.
  private static func short(in text: String, _ products: [String: String]) -> [Target] {
    let form = #/\b(library|tests|judge)\(\s*"([\w-]+)",\s*\[([^\]]*)\]([^()]*)/#
    return text.matches(of: form).map { match in
      let isTests = match.1 == "tests"
      let name = isTests ? "\(match.2)Tests" : String(match.2)
      let kinds: [Substring: Target.Kind] = ["tests": .tests, "judge": .program]
      return Target(
        name: name, kind: kinds[match.1] ?? .library, dependencies: list(match.3, products),
        path: path(in: match.4) ?? "\(isTests ? "Tests/Units" : "Sources")/\(match.2)")
    }
  }

  private static func tools(in text: String, _ products: [String: String]) -> [Target] {
    let rows = text.firstMatch(of: #/let tools: [^=]*= \[\n((?s).*?)\n\]/#)?.1 ?? ""
    return rows.matches(of: #/"([\w-]+)":\s*\[([^\]]*)\]/#).map { match in
      Target(
        name: String(match.1), kind: .tool,
        dependencies: ["Core", "Command", "ArgumentParser"] + list(match.2, products),
        path: "Sources/\(match.1)")
    }
  }

  private static func path(in text: Substring) -> String? {
    text.firstMatch(of: #/path: "([^"]+)"/#).map { String($0.1) }
  }
}
