import Testing

@testable import Command

@Suite struct HelpTextTests {
  @Test func `a long line of usage is folded between its options`() {
    let help = """
      OVERVIEW: Do a thing that takes more words to tell than there is room for on a line of eighty

      USAGE: do-it <file> [--cursor <count>] [--limit <count>] [--into <folder> [--really]] [--json]

      OPTIONS:
      """
    #expect(
      HelpText.folded(help, to: 60) == """
        OVERVIEW: Do a thing that takes more words to tell than there is room for on a line of eighty

        USAGE: do-it <file> [--cursor <count>] [--limit <count>]
                 [--into <folder> [--really]] [--json]

        OPTIONS:
        """)
    #expect(HelpText.folded(help, to: 100) == help)
  }
}
