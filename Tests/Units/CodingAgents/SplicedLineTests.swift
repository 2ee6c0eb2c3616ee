import CodingAgents
import Core
import Testing

/// Lines that a cut write, another process or a power failure left behind.
struct SplicedLineTests {
  private static let one = user("One.")
  private static let two = user("Two.")

  private static func user(_ text: String) -> String {
    #"{"type":"user","sessionId":"s","timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"user","content":"\#(text)"},"more":{"a":1}}"#
  }

  private func read(_ line: String) -> (prompts: [String], unreadable: Int) {
    var parser = ClaudeTranscript(SessionKey(.claude, "s"), limits: .chats)
    let found = parser.entries(of: Array(line.utf8))
    return (Transcript.prompts(found), found.count { $0.content == .unreadable })
  }

  private static let zeros = String(repeating: "\0", count: 40)

  @Test(arguments: [
    (one + two, ["One.", "Two."], 0), (one + "  " + two, ["One.", "Two."], 0),
    (zeros + one, ["One."], 0), (one + zeros, ["One."], 0), (zeros, [], 1),
    (one + zeros + two + zeros, ["One.", "Two."], 0),
    (String(one.dropLast()) + two, ["Two."], 1),
    (String(one.dropLast(20)) + two, ["Two."], 1),
    (#"{"type":"user","uuid":""# + one, ["One."], 1),
    (#"{"type":"user","uuid":"# + one, ["One."], 1),
    (one + #"{"type":"user","uu"#, ["One."], 1),
    (#"{"a":{"b":{"# + one + #"{"c":["# + two, ["One.", "Two."], 1),
    ("no record", [], 1), ("[1,2]", [], 1), ("{", [], 1),
    // An object within a record that was cut is no record.
    (#"{"type":"user","message":{"role":"user","content":"Cut."}"#, [], 1),
    (
      #"{"type":"user","x":{"type":"user","message":{"content":"In."},"sessionId":"s"},"y":"#, [], 1
    ),
    (user(#"{\"type\":\"user\"}{\"a\":"#), [#"{"type":"user"}{"a":"#], 0),
  ])
  func `whole records are read, and what is lost is counted`(
    line: String, prompts: [String], unreadable: Int
  ) {
    let found = read(line)
    #expect(found.prompts == prompts)
    #expect(found.unreadable == unreadable)
  }

  @Test func `the records of every cut pair are read`() {
    for length in 1..<Self.one.utf8.count {
      let cut = String(decoding: Array(Self.one.utf8).prefix(length), as: UTF8.self)
      let found = read(cut + Self.two)
      #expect(found.prompts == ["Two."] && found.unreadable == 1, "\(cut)")
    }
  }

  @Test(arguments: [#"{""#, #"{"a":"#, "{}", #"{"a":{}}"#, "\"{", "\\", "{\"\\", "\0{"])
  func `a long line of brackets ends the search`(piece: String) {
    #expect(read(String(repeating: piece, count: 20_000)).unreadable == 1)
  }
}
