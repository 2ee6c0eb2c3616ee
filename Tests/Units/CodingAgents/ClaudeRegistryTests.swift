import CodingAgents
import Core
import Foundation
import TestSupport
import Testing

/// What Claude Code's registry says about a session that waits.
struct ClaudeRegistryTests {
  private func entry(_ members: String) throws -> ClaudeRegistryEntry? {
    let home = try Home()
    try FileManager.default.createDirectory(
      atPath: "\(home.path)/sessions", withIntermediateDirectories: true)
    _ = try home.file(
      "sessions/14914.json",
      #"{"pid":14914,"sessionId":"967acde4","procStart":"605854",\#(members)}"#)
    return ClaudeRegistryEntry(of: 14914, in: home.path)
  }

  @Test(
    arguments: [
      (#""status":"busy""#, nil), (#""status":"shell","waitingFor":"permission prompt""#, nil),
      (#""status":"idle","waitingFor":7"#, WaitCause.prompt),
      (#""status":"waiting","waitingFor":"permission prompt""#, .permission),
      (#""status":"waiting","waitingFor":"sandbox request""#, .permission),
      (#""status":"waiting","waitingFor":"input needed""#, .question),
      (#""status":"waiting","waitingFor":"dialog open""#, .prompt),
      (#""status":"waiting","waitingFor":"a new word""#, .permission),
      (#""status":"waiting""#, .permission),
    ] as [(String, WaitCause?)])
  func `the cause of a wait is that of the program's words`(
    members: String, cause: WaitCause?
  ) throws {
    #expect(try #require(try entry(members)).cause == cause)
  }

  @Test(
    arguments: [
      (#""name":"project-59","nameSource":"derived""#, "project-59"),
      (#""name":"shop","nameSource":"user""#, "shop"), (#""name":"shop""#, "shop"),
      // A model makes these names of the conversation.
      (#""name":"Fix the login of Mrs Smith","nameSource":"auto""#, nil),
      (#""name":"told by a hook","nameSource":"hook""#, nil),
      (#""name":"a\u001b[2Jb""#, "a<U+001B>[2Jb"), (#""name":"""#, nil), (#""name":7"#, nil),
      (#""nameSource":"derived""#, nil),
    ] as [(String, String?)])
  func `a name is read that is no text of the conversation`(
    members: String, name: String?
  ) throws {
    #expect(try #require(try entry(members)).name == name)
  }

  @Test func `a long name is cut`() throws {
    let long = String(repeating: "x", count: 5000)
    #expect(try entry(#""name":"\#(long)""#)?.name == String(long.prefix(80)))
  }
}
