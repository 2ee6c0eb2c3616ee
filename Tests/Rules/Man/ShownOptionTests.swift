import Testing

/// Every option is seen at work: in a golden case, or in a test of its tool.
struct ShownOptionTests {
  @Test(arguments: Repository.tools)
  func `every option is named in a golden case or a tool test`(tool: String) throws {
    let shown = try Self.goldenWords(of: tool).union(Self.testWords(of: tool))
    for names in try ToolHelp(of: tool).optionNames where shown.isDisjoint(with: names) {
      Issue.record("'\(tool) \(names.joined(separator: ", "))' is in no golden case and no test")
    }
  }

  @Test func `an option is its tool's alone`() {
    #expect(Self.words("a | show --all -v; other --deep", of: "show") == ["--all", "-v"])
    #expect(Self.words("show-off --all && cat show.txt --deep", of: "show") == [])
    #expect(Self.words("x=$(show --one=2 'a')", of: "show") == ["--one"])
  }

  /// The options of the tool's commands in all goldens.
  private static func goldenWords(of tool: String) throws -> Set<String> {
    let files = try Repository.files("Tests/Tools/Golden", ending: [".txt"])
    return Set(
      try files.flatMap { file in
        try Repository.text(file).split(separator: "\n").filter { $0.hasPrefix("$ ") }
          .flatMap { words($0, of: tool) }
      })
  }

  /// The options that stand in tests which run the tool.
  private static func testWords(of tool: String) throws -> Set<String> {
    let files = try Repository.files("Tests/Tools/Cases", ending: [".swift"])
    return Set(
      try files.flatMap { file in
        try Repository.text(file).split(separator: "@Test").filter { names($0, tool) }
          .flatMap(options)
      })
  }

  /// The options of each command of a line that runs the tool.
  private static func words(_ line: Substring, of tool: String) -> Set<String> {
    let commands = line.split(whereSeparator: { "|;&(".contains($0) })
    return Set(commands.filter { names($0, tool) }.flatMap(options))
  }

  private static func names(_ text: Substring, _ tool: String) -> Bool {
    text.split(whereSeparator: { !($0.isLetter || $0.isNumber || "-_./".contains($0)) })
      .contains { $0 == tool }
  }

  private static func options(_ text: Substring) -> [String] {
    text.split(whereSeparator: { !($0.isLetter || $0.isNumber || "-_".contains($0)) })
      .filter { $0.hasPrefix("-") }.map(String.init)
  }
}
