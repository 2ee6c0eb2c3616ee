import Core
import Testing

@testable import Command

/// Words that are near to one that is no command.
@Suite struct NearWordsTests {
  private static let known = [
    "agent", "agents", "incidents", "pause", "resume", "terminate", "list", "delete", "help",
  ]

  @Test(
    arguments: [
      ("agnets", ["agents"]), ("agentz", ["agent", "agents"]), ("Agents", ["agents"]),
      ("pasue", ["pause"]), ("term", ["terminate"]), ("stop", ["pause", "terminate"]),
      ("ls", ["list"]), ("rm", ["delete"]), ("continue", ["resume"]), ("x", []), ("", []),
      ("weather", []), (String(repeating: "a", count: 5000), []),
    ] as [(String, [String])])
  func `a slip, a beginning and another program's word are known`(
    _ word: String, _ near: [String]
  ) {
    #expect(NearWords.of(word, among: Self.known) == near)
  }

  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("agnets", "agents", 1), ("ab", "ba", 1),
  ])
  func `a swap of neighbours is one error`(_ first: String, _ second: String, _ count: Int) {
    #expect(EditDistance.between(first, second) == count)
    #expect(EditDistance.between(second, first) == count)
  }
}
