import Core
import Foundation
import Tmux
import TestSupport
import Testing

struct ShellWordTests {
  /// The shells that this machine has, of those that people log in with.
  static let shells = ["sh", "bash", "dash", "zsh", "fish", "tcsh", "csh", "ksh93", "mksh", "yash"]
    .compactMap { name in
      (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

  @Test(arguments: [
    ("", "''"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), (#"a\b"#, #"'a'\\'b'"#),
    ("hey!", #"'hey'\!''"#), ("$(id)`id`~*", "'$(id)`id`~*'"),
  ])
  func `a word has one form`(word: String, quoted: String) throws {
    #expect(try ShellWord(word).quoted == quoted)
  }

  @Test(arguments: ["a\nb", "\0", "\r", "\u{1B}[31m", "\t", "\u{7F}", "\u{85}"])
  func `control characters are refused`(word: String) throws {
    let failure = #expect(throws: Failure.self) { try ShellWord(word) }
    #expect(failure?.code == .badInput)
    #expect(failure?.explanation.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
  }

  @Test(arguments: shells)
  func `every shell reads what was meant`(shell: String) throws {
    let server = try TmuxServer()
    var random = SeededRandom(seed: 31)
    let pieces = [
      "'", "\\", "!", "\"", "$x", "$(id)", "`id`", " ", "~", "*", "?", "[a]", "{a,b}", "#", "%self",
      "=ls", "^a^b", ";", "&", "|", "<", ">", "(", ")", "é", "漢", "😀", "a", "B", "-n", "\\n", "\\'",
      "!!", "!a", "..",
    ]
    for _ in 0..<12 {
      let words = (0..<20).map { _ in
        (0..<Int.random(in: 0..<6, using: &random)).map { _ in random.one(of: pieces, else: "") }
          .joined()
      }
      let line = try ShellWord.line(["printf", "%s\\n"] + words)
      let answer = try server.run(line, shell: shell)
      #expect(String(decoding: answer.errors, as: UTF8.self) == "")
      #expect(String(decoding: answer.output, as: UTF8.self) == words.map { $0 + "\n" }.joined())
    }
  }
}
