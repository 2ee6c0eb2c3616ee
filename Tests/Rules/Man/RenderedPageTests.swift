import Foundation
import Testing

/// Pages as groff(1), which Debian's man(1) runs, and mandoc(1) render them at 80 columns.
struct RenderedPageTests {
  /// What a renderer wrote.
  private struct Rendering {
    var lines: [Substring]
    var warnings: String
  }

  static let pages = (try? Repository.names(in: "man")) ?? []
  private static let width = 80
  /// The options that man-db passes at 80 columns, every warning, and no escape sequences.
  private static let groff = "groff -mandoc -Tutf8 -rLL=78n -ww -P-c -P-b -P-u -P-o"
  private static let mandoc = "mandoc -T utf8 -O width=78"

  private static func render(_ page: String, by command: String) throws -> Rendering {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let file = Repository.root.appending(path: "man/\(page)").path
    process.arguments = ["-c", "\(command) \"$1\"", "sh", file]
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    // Warnings that fill a pipe are too many to be read.
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    let told = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(command): is it installed?")
    // Overstriking is bold and underlined text: a character, a backspace, a character.
    let plain = text.unicodeScalars.reduce(into: String.UnicodeScalarView()) { plain, scalar in
      if scalar == "\u{8}" { plain.removeLast() } else { plain.append(scalar) }
    }
    return Rendering(
      lines: String(plain).split(separator: "\n", omittingEmptySubsequences: false),
      warnings: String(decoding: told, as: UTF8.self))
  }

  /// A source line as readers see it: mdoc(7)'s escape sequences are characters.
  private static func decoded(_ line: Substring) -> String {
    [("\\&", ""), ("\\(dq", "\""), ("\\(aq", "'"), ("\\-", "-"), ("\\e", "\\")]
      .reduce(String(line)) { $0.replacing($1.0, with: $1.1) }
      .trimmingCharacters(in: .whitespaces)
  }

  /// The example lines of a page's source, which are copied to a shell as they are shown.
  private static func examples(_ page: String) throws -> [String] {
    var isLiteral = false
    return try Repository.text("man/\(page)").split(separator: "\n").compactMap { line in
      if line.hasPrefix(".Dl ") { return decoded(line.dropFirst(4)) }
      if line.hasPrefix(".Bd -literal") { isLiteral = true }
      if line == ".Ed" { isLiteral = false }
      return isLiteral && !line.hasPrefix(".") ? decoded(line) : nil
    }
  }

  @Test(arguments: pages, [groff, mandoc])
  func `a page has no warning, no wide line, and its examples as they are written`(
    _ page: String, _ command: String
  ) throws {
    let shown = try Self.render(page, by: command)
    #expect(shown.warnings == "")
    #expect(shown.lines.filter { $0.count > Self.width } == [])
    let lines = Set(shown.lines.map { $0.trimmingCharacters(in: .whitespaces) })
    let examples = try Self.examples(page)
    #expect(examples.filter { !lines.contains($0) } == [])
    #expect(!examples.isEmpty)
  }

  @Test(arguments: pages)
  func `quotes hold one word, not a list of words`(_ page: String) throws {
    let lists = try Repository.text("man/\(page)").split(separator: "\n").filter {
      $0.contains(#/^\.(It )?[DSQ][ql] .* [,;] /#)
    }
    #expect(lists == [])
  }

  @Test func `the overview refers to every tool`() throws {
    let page = try Repository.text("man/agentpipes.7")
    let section = try #require(page.split(separator: ".Sh SEE ALSO").last).split(separator: ".Sh")[
      0]
    #expect(Repository.tools.filter { !section.contains("Xr \($0) 1 ") } == [])
  }
}
