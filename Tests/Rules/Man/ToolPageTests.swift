import Core
import Testing

/// The pages of section 1 say what the tools are; where a test fails, the page is to be edited by
/// hand.
struct ToolPageTests {
  @Test func `every tool has a page and every page a tool`() throws {
    let pages = try Repository.names(in: "man").filter { $0.hasSuffix(".1") }
    #expect(pages == Repository.tools.map { $0 + ".1" })
  }

  @Test(arguments: Repository.tools)
  func `a page names every option, hidden ones too, and no others`(tool: String) throws {
    let page = try ManualPage(tool + ".1").options
    let help = try ToolHelp(of: tool).options
    #expect(help.subtracting(page).isEmpty, "missing in man/\(tool).1, as '.Fl -name'")
    #expect(page.subtracting(help).isEmpty, "in man/\(tool).1, but no options of '\(tool)'")
  }

  @Test(arguments: Repository.tools)
  func `a page has an entry for every small command and no others`(tool: String) throws {
    let help = try ToolHelp(of: tool).commands
    let page = try ManualPage(tool + ".1").commands.subtracting(["help"])
    #expect(page == help, "the '.It Cm' of man/\(tool).1")
  }

  @Test(arguments: Repository.tools)
  func `help, page and README describe a tool in the same words`(tool: String) throws {
    let abstract = try #require(try ToolHelp(of: tool).command.abstract)
    #expect(try ManualPage(tool + ".1").summary == abstract, "the '.Nd' of man/\(tool).1")
    if tool != "agentpipes" {
      #expect(
        try Repository.text("Sources/agentpipes/ListedTools.swift").contains(
          "(\"\(tool)\", \"\(abstract)\")"), "the line of '\(tool)' in ListedTools.swift")
    }
    let readme = try Repository.text("README.md")
    #expect(
      readme.contains("| [`\(tool)`](man/\(tool).1) | \(abstract) |"),
      "the table of tools in README.md")
    #expect(
      try Repository.text("man/agentpipes.7").contains(".It Xr \(tool) 1 Ta \(abstract)\n"),
      "the table of tools in man/agentpipes.7")
  }

  @Test func `the README stays short`() throws {
    #expect(
      try Repository.text("README.md").split(separator: "\n", omittingEmptySubsequences: false)
        .count <= 121)
  }

  @Test(arguments: Repository.tools)
  func `a page has all sections in order`(tool: String) throws {
    #expect(
      try ManualPage(tool + ".1").headings == [
        "NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES",
        "DIAGNOSTICS", "SEE ALSO", "BUGS",
      ])
  }

  @Test(arguments: Repository.tools)
  func `a page shows at least two examples`(tool: String) throws {
    #expect(try ManualPage(tool + ".1").displayCount(inSection: "EXAMPLES") >= 2)
  }

  @Test(arguments: Repository.tools)
  func `a page lists exit statuses of the failure table`(tool: String) throws {
    let listed = try ManualPage(tool + ".1").exitStatuses
    let known = Set(FailureCode.allCases.filter { $0 != .interrupted }.flatMap(\.exitStatuses))
    #expect(listed.isSuperset(of: [0, 64, 74]), "every tool can end with these")
    #expect(listed.subtracting(known).subtracting([0]).isEmpty, "no failure has these")
  }
}
