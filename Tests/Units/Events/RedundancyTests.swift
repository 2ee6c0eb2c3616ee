import Events
import Testing

struct RedundancyTests {
  /// So many words, none of them twice.
  private func words(_ range: Range<Int>) -> String {
    range.map { "word\($0)" }.joined(separator: " ")
  }

  @Test func `what is said twice counts once as new and once as repeated`() throws {
    var redundancy = Redundancy()
    redundancy.add(words(0..<107))
    #expect(redundancy.score == 0)
    redundancy.add(words(0..<107))
    #expect(redundancy.score == 0.5)
    redundancy.add(words(1000..<1207))
    #expect(redundancy.score == 0.25)
  }

  @Test func `case and marks do not matter, words do, and little text says nothing`() throws {
    var redundancy = Redundancy()
    redundancy.add(words(0..<106))
    #expect(redundancy.score == nil)
    redundancy.add(words(0..<106).uppercased().replacing(" ", with: ";\n"))
    #expect(redundancy.score == 0.5)
    redundancy.add("")
    redundancy.add(String(repeating: "\u{0}", count: 100))
    #expect(redundancy.score == 0.5)
  }
}
