import Core
import Tmux
import Testing

struct TmuxAnswerTests {
  private func code(_ status: Int32?, _ errors: String) -> FailureCode? {
    let answer = TmuxAnswer(status: status, output: [], errors: Array(errors.utf8))
    do throws(Failure) {
      try answer.check(nil, on: "box")
      return nil
    } catch {
      return error.code
    }
  }

  @Test(
    arguments: [
      (0, "anything", nil), (127, "sh: 1: tmux: not found\n", .tmuxNotFound),
      (1, "tmux: Command not found.\n", .tmuxNotFound), (127, "", .tmuxNotFound),
      (126, "tmux: Permission denied", .tmuxNotFound),
      (1, "no server running on /tmp/tmux-0/default\n", .tmuxSessionNotFound),
      (1, "error connecting to /tmp/x (No such file or directory)", .tmuxSessionNotFound),
      (1, "error connecting to /tmp/x (Permission denied)", .serverError),
      (1, "Welcome!\ncan't find session: agent\n", .tmuxSessionNotFound),
      (1, "can't find session: Command not found.\n", .tmuxSessionNotFound),
      (1, "can't find pane: %9\n", .tmuxSessionNotFound), (1, "no sessions", .tmuxSessionNotFound),
      (1, "duplicate session: a", .conflict),
      (1, "open terminal failed: not a terminal\n", .terminalInitFailed),
      (1, "command attach-session: unknown flag -f\n", .protocolMismatch),
      (1, "usage: attach-session [-dErx]", .protocolMismatch),
      (1, "protocol version mismatch (client 8, server 7)", .protocolMismatch),
      (1, "tmux: need UTF-8 locale (LC_CTYPE) but have ANSI_X3.4-1968", .serverError),
      (1, "", .serverError), (255, "", .serverError), (nil, "", .streamInterrupted),
    ] as [(Int32?, String, FailureCode?)])
  func `what tmux said is told by its row of the table`(
    status: Int32?, errors: String, expected: FailureCode?
  ) {
    #expect(code(status, errors) == expected)
  }

  @Test func `only without a server is a failed list empty`() throws {
    func sessions(_ errors: String) throws -> Int {
      try TmuxAnswer(status: 1, output: [], errors: Array(errors.utf8)).sessions(host: "box").count
    }
    #expect(try sessions("no server running on /tmp/tmux-0/default") == 0)
    #expect(try sessions("server exited unexpectedly\n") == 0)
    #expect(try sessions("motd\nerror connecting to /tmp/x (No such file or directory)") == 0)
    #expect(throws: Failure.self) { try sessions("error connecting to /tmp/x (Permission denied)") }
    #expect(throws: Failure.self) { try sessions("") }
  }

  @Test func `what a host says is made visible and short`() {
    let errors = "\u{1B}]52;c;evil\u{7}\u{202E}" + String(repeating: "x", count: 10_000) + "\n\n"
    let answer = TmuxAnswer(status: 3, output: [], errors: Array(errors.utf8) + [0xFF])
    let failure = #expect(throws: Failure.self) { try answer.check(nil, on: "b\u{1B}ox") }
    let text = failure.map { $0.explanation + ($0.cause ?? "") } ?? ""
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
    #expect(text.utf8.count < 2000)
    #expect(text.contains("b<U+001B>ox"))
  }
}
