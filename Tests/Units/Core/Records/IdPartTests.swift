import Core
import Testing

/// Ids that are given by a part of them.
@Suite struct IdPartTests {
  private let ids = ["0198f3a1-aaaa-cafe", "0198f3a1-bbbb-beef", "linter", "linter-2"]

  private func whole(_ part: String) throws(Failure) -> String? {
    try IdPart.whole(part, among: ids, "agent")
  }

  @Test(arguments: [
    ("cafe", "0198f3a1-aaaa-cafe"), ("bbbb-beef", "0198f3a1-bbbb-beef"), ("er-2", "linter-2"),
    ("0198f3a1-a", "0198f3a1-aaaa-cafe"), ("bbbb", "0198f3a1-bbbb-beef"),
  ])
  func `a part names the one that has it`(_ part: String, _ id: String) throws {
    #expect(try whole(part) == id)
  }

  @Test func `a whole id is itself, though another begins so`() throws {
    #expect(try whole("linter") == "linter")
  }

  @Test(arguments: ["afe", "dddd", "", "lint-2"])
  func `what is too short or in none names nothing`(_ part: String) throws {
    #expect(try whole(part) == nil)
  }

  @Test func `what several have is told with all of them`() {
    let failure = #expect(throws: Failure.self) { try whole("0198f3a1") }
    #expect(failure?.code == .badUsage)
    #expect(
      failure?.explanation
        == "'0198f3a1' matches several agents: '0198f3a1-aaaa-cafe', '0198f3a1-bbbb-beef'"
    )
  }
}
