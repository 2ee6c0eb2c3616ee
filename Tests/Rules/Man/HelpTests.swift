import Foundation
import Testing

/// The help that tools print at 80 columns; options that do not fit are `visibility: .hidden`.
struct HelpTests {
  private static let longest = 40

  @Test(arguments: Repository.tools)
  func `every help fits on a screen`(tool: String) throws {
    for path in try ToolHelp(of: tool).paths {
      let lines = try Self.lines(tool, path)
      let name = ([tool] + path).joined(separator: " ")
      #expect(lines.count <= Self.longest, "'\(name) --help' has \(lines.count) lines")
      for line in lines where line.count > 80 {
        Issue.record("'\(name) --help' has a line of \(line.count) characters: \(line)")
      }
    }
  }

  @Test(arguments: Repository.tools)
  func `help begins with three common uses`(tool: String) throws {
    let lines = try Self.lines(tool, [])
    let examples = lines.drop { $0 != "Examples:" }.dropFirst().prefix { !$0.isEmpty }
    #expect(examples.count { $0.hasPrefix("  ") && !$0.hasPrefix("    ") } >= 3)
    #expect(examples.allSatisfy { $0.hasPrefix("  ") }, "an example is folded")
  }

  private static func lines(_ tool: String, _ path: [String]) throws -> [String] {
    let help = try Repository.output(of: tool, path + ["--help"])
    return String(decoding: help, as: UTF8.self).trimmingCharacters(in: .newlines)
      .components(separatedBy: "\n")
  }
}
