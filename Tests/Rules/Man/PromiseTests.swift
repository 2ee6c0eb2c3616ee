import Testing

/// What the pages promise for all cases, and the tests that hold them to it.
struct PromiseTests {
  private static let words: Set<String> = ["never", "always", "however"]

  /// Sentences without their macros, as far as they tell one from another, and tests by name.
  private static let promises: [(page: String, sentence: String, tests: [String])] = [
    (
      "agent-run.1", "The command's arguments are never recorded",
      ["the command's arguments are never told"]
    ),
    (
      "agent-run.1", "The command never waits for its events to be stored",
      [
        "the command is never held up for the events",
        "a flood loses the oldest below a warning, and counts them",
      ]
    ),
    (
      "agent-run.1", "always restores the modes of the terminal",
      ["however it ends, but for SIGKILL, the terminal is as it was"]
    ),
    (
      "agent-stat.1", "An agent that never reported a start counts as finished",
      ["one that never said that it began is finished after five minutes"]
    ),
    (
      "agentpipes-chats.5", "The values are named , option",
      ["a person answers once, always, no or stop"]
    ),
    (
      "agentpipes.5", "Members marked with an asterisk are always there",
      ["an example has the members that are always there"]
    ),
    (
      "agentpipes-devices.5", "A character is never divided between two records",
      ["a character over two pieces comes whole with the second"]
    ),
    (
      "agentpipes.7", "Set when text is coloured: auto",
      [
        "text is coloured where that was asked for, and nowhere else",
        "the user decides for good",
      ]
    ),
    (
      "export-md.1", "A value never adds a folder to the path",
      ["A value never parts the path and never leads out"]
    ),
    (
      "key-store.1", "Secrets never appear among the arguments",
      ["secrets never appear among the arguments, and are written masked"]
    ),
    (
      "link-open.1", "The keys of your providers are never sent to the endpoint of a link",
      ["no key of a provider goes where a link says"]
    ),
    (
      "hub-serve.1", "such as run_in_terminal, never runs",
      ["a model calls what the companion asks for and the configuration names, and no more"]
    ),
    (
      "stage-run.1", "is rejected or expires, the run fails",
      [
        "a rejected stage ends the run and is never sent again",
        "--gate-timeout rejects what nobody decided",
      ]
    ),
    (
      "stage-run.1", "cancelled and never resumed",
      ["a run holds before its next call, goes on, and ends in the middle of one"]
    ),
    (
      "stream-tail.1", "in the value of the member are always decoded first",
      [
        "a condition finds its member, however that is escaped",
        "jq has the same answer about thousands of hostile lines",
      ]
    ),
    (
      "stream-tail.1", "are always written; the limit does not apply to them",
      ["what matters is always written, whatever the rate"]
    ),
    (
      "tmux-attach.1", "Except after SIGKILL, the terminal is always restored",
      [
        "however it ends, but for SIGKILL, the terminal is as it was",
        "what is typed is shown again when a signal ends a prompt",
      ]
    ),
    (
      "chat-log.1", "An answer whose end was never stored",
      ["an answer takes the place of its beginning, and one nobody ended says so"]
    ),
    (
      "tmux-attach.1", "never wait for the reader",
      [
        "a reader that stops costs no memory, programs never wait for it, and what it missed is told"
      ]
    ),
    (
      "web-fetch.1", "Certificates are always verified",
      ["nobody is trusted who cannot show who they are"]
    ),
  ]

  @Test func `each sentence that promises something for all cases has a test by name`() throws {
    let tests = try Repository.files("Tests", ending: [".swift", ".sh", ".py"])
      .map { try Repository.text($0) }.joined(separator: "\n")
    var unmet = Self.promises.map { "\($0.page): \($0.sentence)" }
    for name in try Repository.files("man", ending: [".1", ".5", ".7"]) {
      let page = try ManualPage(String(name.dropFirst("man/".count)))
      for sentence in page.sentences where !Self.words.isDisjoint(with: Self.parts(of: sentence)) {
        let found = Self.promises.filter {
          name == "man/\($0.page)" && sentence.contains($0.sentence)
        }
        #expect(found.count == 1, "\(name): no test is named for: \(sentence)")
        for promise in found {
          unmet.removeAll { $0 == "\(promise.page): \(promise.sentence)" }
          #expect(!promise.tests.isEmpty)
          for test in promise.tests { #expect(tests.contains(test), "no test '\(test)'") }
        }
      }
    }
    #expect(unmet.isEmpty, "no page says so any more")
  }

  private static func parts(of sentence: String) -> Set<String> {
    Set(sentence.lowercased().split { !$0.isLetter }.map(String.init))
  }
}
