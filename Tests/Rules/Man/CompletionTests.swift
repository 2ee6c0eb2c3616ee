import Foundation
import Testing

struct CompletionTests {
  private static let hint = "run 'swift build && scripts/generate-completions'"

  @Test func `every tool has completions for three shells`() throws {
    let wanted = Repository.tools.flatMap { ["\($0).bash", "_\($0)", "\($0).fish"] }
    #expect(try Repository.names(in: "completions") == wanted.sorted(), "\(Self.hint)")
  }

  @Test(arguments: Repository.tools, ["bash", "zsh", "fish"])
  func `completions are what the tool generates`(tool: String, shell: String) throws {
    let name = shell == "zsh" ? "_\(tool)" : "\(tool).\(shell)"
    let committed = try Repository.text("completions/" + name)
    let generated = try Repository.output(of: tool, ["--generate-completion-script", shell])
    #expect(committed == String(decoding: generated, as: UTF8.self), "\(Self.hint)")
  }
}
