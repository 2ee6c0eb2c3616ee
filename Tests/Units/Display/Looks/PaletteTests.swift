import Testing

@testable import Display

/// When text is coloured.
@Suite struct PaletteTests {
  private func isColored(
    _ choice: Palette.Choice, _ environment: [String: String], isTerminal: Bool = true
  ) -> Bool {
    Palette(choice, isTerminal: isTerminal, environment: environment).isColored
  }

  @Test func `a terminal that can is coloured, a file is not`() {
    #expect(isColored(.auto, ["TERM": "xterm"]))
    #expect(!isColored(.auto, ["TERM": "xterm"], isTerminal: false))
    #expect(!isColored(.auto, ["TERM": "dumb"]))
    #expect(!isColored(.auto, [:]))
  }

  @Test func `the environment decides where the user did not`() {
    #expect(!isColored(.auto, ["TERM": "xterm", "NO_COLOR": "1"]))
    #expect(isColored(.auto, ["TERM": "xterm", "NO_COLOR": ""]))
    #expect(isColored(.auto, ["CLICOLOR_FORCE": "1"], isTerminal: false))
    #expect(!isColored(.auto, ["CLICOLOR_FORCE": "0"], isTerminal: false))
    #expect(!isColored(.auto, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], isTerminal: false))
  }

  @Test func `the user decides for good`() {
    #expect(isColored(.always, ["NO_COLOR": "1", "TERM": "dumb"], isTerminal: false))
    #expect(!isColored(.never, ["CLICOLOR_FORCE": "1", "TERM": "xterm"]))
  }

  @Test func `links are drawn where the terminal says that it knows them`() {
    let knows = Palette(.auto, isTerminal: true, environment: ["TERM": "xterm-kitty"])
    #expect(
      knows.linked("a", to: "https://a.example")
        == "\u{1B}]8;;https://a.example\u{1B}\\a\u{1B}]8;;\u{1B}\\")
    #expect(knows.linked("a", to: "https://a\u{1B}\\.example") == "a")
    let other = Palette(.auto, isTerminal: true, environment: ["TERM": "xterm"])
    #expect(other.linked("a", to: "https://a.example") == "a")
  }
}
