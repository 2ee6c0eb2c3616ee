import CodingAgents
import Core
import MCP
import Testing

@testable import Hooks

@Suite("the permission tool")
struct PermissionServerTests {
  private let server = PermissionServer(version: "1.2.3", sessionId: "s1", folder: "/w")

  private func lines(_ message: String) -> [String] {
    server.actions(for: Array(message.utf8)).map { action in
      switch action {
      case .answer(let line): String(decoding: line, as: UTF8.self)
      case .decide(let call): "decide \(call.request.tool)"
      case .cancel(let id): "cancel \(id)"
      }
    }
  }

  private let meta = #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#
  private let info =
    #""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"agentpipes","version":"1.2.3"}}"#

  @Test func `both kinds of revisions are spoken`() {
    for (asked, agreed) in [("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25")] {
      #expect(
        lines(
          #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(asked)"}}"#
        ) == [
          #"{"id":0,"jsonrpc":"2.0","result":{"capabilities":{"tools":{}},"protocolVersion":"\#(agreed)","#
            + #""serverInfo":{"name":"agentpipes","version":"1.2.3"}}}"#
        ])
    }
    #expect(lines(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).isEmpty)
    #expect(
      lines(#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#) == [
        #"{"id":"a","jsonrpc":"2.0","result":{}}"#
      ])
    #expect(
      lines(#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{\#(meta)}}"#) == [
        #"{"id":1,"jsonrpc":"2.0","result":{\#(info),"cacheScope":"private","capabilities":{"tools":{}},"#
          + #""resultType":"complete","supportedVersions":["2026-07-28"],"ttlMs":0}}"#
      ])
    let other = meta.replacing("2026-07-28", with: "2030-01-01")
    #expect(
      lines(#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{\#(other)}}"#)[0].contains(
        "-32022"))
    #expect(
      lines(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)[0].contains(#""name":"approve""#))
  }

  @Test(arguments: [
    ("{", -32700), (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32601),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"other"}}"#, -32602),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"approve"}}"#, -32602),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"approve","arguments":{"tool_name":"","input":{}}}}"#,
      -32602
    ),
  ])
  func `what cannot be answered is an error`(_ message: String, _ code: Int) {
    let answers = lines(message)
    #expect(answers.count == 1 && answers[0].contains("\"code\":\(code),"))
  }

  @Test func `a call is decided, and its arguments return unchanged`() throws {
    for isModern in [false, true] {
      let message =
        #"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"approve","#
        + (isModern ? meta + "," : "")
        + #""arguments":{"tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"toolu_1"}}}"#
      guard case .decide(let call)? = server.actions(for: Array(message.utf8)).first else {
        Issue.record("it is no call")
        return
      }
      #expect(
        [call.request.tool, call.request.sessionId, call.request.callId, call.request.folder] == [
          "Bash", "s1", "toolu_1", "/w",
        ])
      func text(_ answer: HookAnswer) -> String {
        String(decoding: server.line(answer, to: call), as: UTF8.self)
      }
      let start = #"{"id":7,"jsonrpc":"2.0","result":{"# + (isModern ? info + "," : "")
      let end = (isModern ? #","resultType":"complete""# : "") + "}}"
      #expect(
        text(.allow("approved by ada")) == start
          + #""content":[{"text":"{\"behavior\":\"allow\",\"updatedInput\":{\"command\":\"ls\"}}","type":"text"}]"#
          + end)
      for (answer, reason) in [
        (HookAnswer.deny("no"), "no"), (.ask("too late"), "too late"),
        (.none, "there is no decision"),
      ] {
        #expect(
          text(answer) == start
            + #""content":[{"text":"{\"behavior\":\"deny\",\"message\":\"\#(reason)\"}","type":"text"}]"#
            + end)
      }
    }
  }

  @Test func `a cancelled call is named by its id`() {
    #expect(
      lines(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#)
        == ["cancel int(7)"])
  }
}
