import Testing

/// Made-up packages and files, each of which breaks the rule of imports in one way.
@Suite struct ImportRuleTests {
  /// A package of every form that ours has.
  private let package = PackageTable(
    SourceFile(
      path: "Package.swift",
      text: """
        let database: Target.Dependency = .product(
          name: "GRDB", package: "GRDB.swift")
        let tools: KeyValuePairs<String, [Target.Dependency]> = [
          // One row each.
          "show": ["Pages"],
          "keep": [],
        ]
        func library(_ name: String) -> Target { .target(name: name) }
        let package = Package(
          targets: [
            .systemLibrary(name: "CPage", pkgConfig: "page"),
            .target(name: "CPlain"),
            library("Core", [database]),
            library("Pages", ["Core", "CPage"]),
            library(
              "Wires", [nio("NIOCore"), .product(name: "Hummingbird", package: "hummingbird")]),
            .executableTarget(
              name: "judge", dependencies: ["Core"], path: "Tests/Judge", swiftSettings: settings),
            tests("Pages", ["Core", "Pages"], exclude: ["Fixtures"]),
            tests("Core", ["Core"], path: "Tests/Units/Core"),
          ])
        """))

  private func file(_ path: String, _ text: String) -> SourceFile {
    SourceFile(path: path, text: text)
  }

  private func found(_ path: String, _ text: String) -> [String] {
    ImportRule(package: package).violations(in: file(path, text)).map(\.description)
  }

  @Test func `every form of a target is read`() {
    #expect(
      package.targets.map { "\($0.path) \($0.kind) \($0.dependencies.joined(separator: ","))" } == [
        "Sources/CPage system ", "Sources/CPlain library ", "Tests/Judge program Core",
        "Sources/Core library GRDB", "Sources/Pages library Core,CPage",
        "Sources/Wires library NIOCore,Hummingbird", "Tests/Units/Pages tests Core,Pages",
        "Tests/Units/Core tests Core",
        "Sources/show tool Core,Command,ArgumentParser,Pages",
        "Sources/keep tool Core,Command,ArgumentParser",
      ])
    #expect(package.tools == ["show", "keep"])
  }

  @Test func `an import that the package does not give is found`() {
    #expect(
      found("Sources/Pages/A.swift", "import Core\n@preconcurrency public import GRDB\n") == [
        "Sources/Pages/A.swift:2: 'Pages' may not import 'GRDB'"
      ])
    #expect(found("Tests/Judge/main.swift", "import Pages").count == 1)
    #expect(found("Tests/Units/Core/Text/A.swift", "import Testing\nimport Pages").count == 1)
    #expect(
      found("Sources/Core/A.swift", "import GRDBSQLite\nimport FoundationNetworking").count == 1)
  }

  @Test func `a folder without a target is found`() {
    #expect(
      found("Sources/New/A.swift", "") == [
        "Sources/New/A.swift: the target 'New' is not in Package.swift"
      ])
  }

  @Test func `a dependency that no file imports is found`() {
    let files = [
      file("Sources/Core/A.swift", "import GRDB"),
      file("Sources/Pages/A.swift", "import Core\n// import CPage"),
      file("Sources/show/A.swift", "import Command\nimport Pages"),
      file("Tests/Judge/main.swift", "import Core"),
      file("Tests/Units/Pages/A.swift", "@testable import Pages\nimport Core"),
      file("Tests/Units/Core/A.swift", "import Testing"),
    ]
    #expect(
      ImportRule(package: package).idle(among: files).map(\.description) == [
        "Package.swift: 'Pages' depends on 'CPage', and no file of it imports that",
        "Package.swift: 'Wires' depends on 'Hummingbird', and no file of it imports that",
        "Package.swift: 'Wires' depends on 'NIOCore', and no file of it imports that",
        "Package.swift: 'CoreTests' depends on 'Core', and no file of it imports that",
      ])
  }

  @Test func `a package against the plan is found`() {
    let text = """
      library("Pages", ["Core", "CPage"]),
      library("Other", ["CPage", "Command", "ArgumentParser"]),
      library("Command", ["Core", "ArgumentParser"]),
      """
    let package = PackageTable(file("Package.swift", text))
    #expect(
      ImportRule(package: package).violationsOfPackage().map(\.reason) == [
        "'CPage' belongs to 'Pages', and 'Other' depends on it too",
        "'Other' is a library, and 'Command' is for executables",
        "'Other' may not depend on 'ArgumentParser'",
      ])
  }

  @Test func `a single declaration is an import of its module`() {
    let text =
      "@testable import struct Core.Failure\n  import Musl; public import A\nlet important = 1"
    let found = ImportRule.imports(of: file("A.swift", text))
    #expect(found.map { "\($0.line) \($0.module)" } == ["1 Core", "2 Musl", "2 A"])
  }

  @Test func `an import in a comment is none`() {
    let text = "// import GRDB\n/// import GRDB\n/*\nimport GRDB\n*/\nimport Core // import GRDB\n"
    #expect(
      found("Sources/Pages/A.swift", text + "let a = \"\"\"\n  import GRDB\n  \"\"\"").isEmpty)
  }

  /// The walls that the design has for good, in the package as it stands.
  @Test(arguments: [
    ("HTTP", "CXML2"), ("Reading", "CCurl"), ("Fetching", "CCurl"), ("Core", "CCurl"),
    ("Core", "ArgumentParser"), ("Core", "HTTP"), ("HTTP", "Providers"), ("Providers", "Fetching"),
    ("Exporting", "GRDB"), ("HTTP", "CCrypto"), ("Pipelines", "Command"), ("Command", "GRDB"),
    ("Pipelines", "ArgumentParser"), ("export-md", "HTTP"), ("key-store", "GRDB"),
    ("web-fetch", "CCurl"), ("Core", "FoundationNetworking"), ("WebSocket", "Hummingbird"),
    ("WebSocket", "HTTP"), ("Events", "NIOCore"), ("stream-tail", "NIOCore"), ("Core", "GRDB"),
    ("Requests", "GRDB"), ("Watching", "GRDB"), ("Hub", "GRDB"), ("Command", "Requests"),
  ])
  func `a wall of the house stands`(_ target: String, _ module: String) throws {
    let rule = ImportRule(package: try Repository().package())
    let found = rule.violations(in: file("Sources/\(target)/A.swift", "import \(module)"))
    #expect(found.count == 1)
  }
}
