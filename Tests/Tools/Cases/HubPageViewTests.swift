import Foundation
import TestSupport
import Testing

/// What a person reads on the hub's page after a control, before a decision, and at the beginning.
@Suite("the views of a hub's page")
struct HubPageViewTests {
  /// Returns the text of a view, with a line for each of its elements.
  private static func text(_ scratch: Scratch, _ path: String) async throws -> [String] {
    let run = try await scratch.shell(
      "curl -s -b \"$COOKIE\" \"$HUB\(path)\" | sed 's/<main/\\n&/' | sed -n '/^<main/,$p' | sed 's/<[^>]*>/\\n/g' | sed '/^ *$/d'"
    )
    return run.output.split(separator: "\n").map(String.init)
  }

  /// Sends a form that controls an agent, and returns the status and the view that it leads to.
  private static func form(_ agent: String, _ action: String, _ id: String) -> String {
    "curl -s -o /dev/null -w '%{http_code} %header{location}' -H \"Origin: $HUB\" -b \"$COOKIE\" --data-urlencode \"token=$FORM\" -d requestId=\(id) -d action=\(action) -d 'reason=as a test' -d confirmation=TERMINATE $HUB/page/agents/\(agent)"
  }

  @Test func `a control leads to its outcome`() async throws {
    try await HubPageTests.withPage { scratch in
      try await HubPageTests.signIn(scratch, "--scope steer")
      let agent = try scratch.running(
        "curl -sN -H \"$AUTH\" \"$HUB/v1/controls?agentId=a&sessionId=s\"", input: "")
      try await scratch.until("the agent is connected") { agent.output.contains(": agentpipes") }
      func answer(_ id: String, _ outcome: String) async throws {
        try await scratch.until("the agent has the control") { agent.output.contains(id) }
        try await scratch.shell(
          "curl -sf -H \"$AUTH\" -d '{\"agentId\":\"a\",\"sessionId\":\"s\",\"outcome\":\"\(outcome)\"}' $HUB/v1/controls/\(id)"
        )
      }
      for (id, action, outcome, wanted) in [
        ("first", "pause", "applied", "agent &#39;a&#39; was paused"),
        ("second", "resume", "refused", "agent &#39;a&#39; cannot resume: it has ended"),
        ("third", "terminate", "applied", "agent &#39;a&#39; was terminated"),
      ] {
        let sent = try scratch.running(Self.form("a", action, id), input: "")
        try await answer(id, outcome)
        #expect(await sent.ended().output == "303 /page/controls/\(id)")
        let view = try await Self.text(scratch, "/page/controls/\(id)")
        #expect(view.prefix(2) == ["Control", wanted])
        #expect(view.contains(outcome) && view.contains("as a test") && view.contains("Agent a"))
        #expect(!view.contains("Reload this page to see it."))
      }
      // The wait has an end, and the view says that nothing came yet.
      let silent = try await scratch.shell(Self.form("a", "pause", "fourth"))
      #expect(silent.output == "303 /page/controls/fourth")
      let open = try await Self.text(scratch, "/page/controls/fourth")
      #expect(
        open.prefix(4) == [
          "Control", "agent &#39;a&#39; has not answered yet",
          "The control is stored. The outcome is shown here, and among the last events of the agent.",
          "Reload this page to see it.",
        ])
      let live =
        "curl -s -b \"$COOKIE\" $HUB/page/controls/fourth | grep -c 'data-live=\"outcome\"'"
      #expect(try await scratch.shell(live).output == "1\n")
      try await answer("fourth", "applied")
      #expect(
        try await Self.text(scratch, "/page/controls/fourth").prefix(2)
          == ["Control", "agent &#39;a&#39; was paused"])
      #expect(try await scratch.shell(live).output == "0\n")
      #expect(
        try await HubPageTests.status(scratch, "-b \"$COOKIE\" $HUB/page/controls/fifth") == 404)
    }
  }

  @Test func `an agent that has ended refuses, and a gate says what a decision did`() async throws {
    try await HubPageTests.withPage { scratch in
      try await HubPageTests.signIn(scratch, "--scope steer")
      try await scratch.shell("agent-run --agent b -- true")
      #expect(
        try await scratch.shell(Self.form("b", "pause", "one")).output
          == "303 /page/controls/one")
      let view = try await Self.text(scratch, "/page/controls/one")
      #expect(view.prefix(2) == ["Control", "agent &#39;b&#39; cannot pause: it has ended"])
      let id = try await HubPageTests.gate(scratch)
      let decide =
        "curl -s -H \"Origin: $HUB\" -b \"$COOKIE\" --data-urlencode \"token=$FORM\" $HUB/page/gates/\(id) -d decision="
      let marks = " | grep -o '<p role=\"[a-z]*\" class=\"[a-z ]*\">[^<]*'"
      #expect(
        try await scratch.shell(decide + "approve" + marks).output
          == "<p role=\"status\" class=\"lead good\">Your decision took effect: approved.\n")
      let late = try await scratch.shell(decide + "reject -d 'reason=it is much too late'" + marks)
      #expect(
        late.output.hasPrefix(
          "<p role=\"alert\" class=\"bad\">gate &#39;\(id)&#39; is approved already, by "))
    }
  }

  @Test func `the arguments of a hook's call are a table`() async throws {
    try await HubPageTests.withPage { scratch in
      try await HubPageTests.signIn(scratch)
      let long = String(repeating: "x", count: 5000)
      let hook = try scratch.running(
        "gate-decide hook",
        input: #"{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"Write","#
          + #""tool_input":{"a":{"b":["<i>",1]},"command":"cat <<E\n\t<b>one</b>\u0007\nE","#
          + #""z":"\#(long)"}}"#)
      var id = ""
      try await scratch.until("a gate waits") {
        id = try await scratch.shell("gate-decide list | jq -r .gateId").output
          .trimmingCharacters(in: .whitespacesAndNewlines)
        return !id.isEmpty
      }
      let run = try await scratch.shell(
        "curl -s -b \"$COOKIE\" $HUB/page/gates/\(id) | tr '\\n' '~' | grep -o '<h2>Arguments.*</table></div><p class[^~]*</p>' | sed 's/<h2>Decide.*//'"
      )
      let shown = String(repeating: "x", count: 3931)
      #expect(
        run.output == """
          <h2>Arguments</h2><div class="table arguments"><table><thead><tr><th scope="col">name</th>\
          <th scope="col">value</th></tr></thead><tbody>\
          <tr><th scope="row">a</th><td>{&quot;b&quot;:[&quot;&lt;i&gt;&quot;,1]}</td></tr>\
          <tr><th scope="row">command</th>\
          <td>cat &lt;&lt;E~\t&lt;b&gt;one&lt;/b&gt;&lt;U+0007&gt;~E</td></tr>\
          <tr><th scope="row">z</th><td>\(shown)</td></tr></tbody></table></div>\
          <p class="warning">… and 1071 more characters</p>

          """)
      try await scratch.shell("gate-decide reject \(id) --reason 'it is not what I want'")
      #expect(await hook.ended().statuses == [0])
    }
  }

  @Test func `the first views say what to do, without words of the code`() async throws {
    try await HubPageTests.withPage { scratch in
      let out = try await Self.text(scratch, "/page")
      #expect(
        out == [
          "Not signed in", "this browser is not signed in", "To sign in",
          "In a terminal on the machine of this hub, type:", "pair page",
          "Open the link that it shows in this browser, or scan the code with a phone. "
            + "The link is valid once, for five minutes.",
          "Press “Sign in”.",
        ])
      #expect(
        try await Self.text(scratch, "/page/sign-in?code=x").prefix(3) == [
          "Not signed in", "the link was used or replaced, or is older than five minutes",
          "To sign in",
        ])
      try await HubPageTests.signIn(scratch)
      let first = try await Self.text(scratch, "/page")
      #expect(
        first == [
          "Overview",
          "No agent has reported yet. As soon as one does, this page shows what it does, what it "
            + "asks you, and what goes wrong.",
          "To begin", "In a terminal on the machine of this hub, type one of these:",
          "Show the sessions of Claude Code, Codex, OpenCode and Gemini CLI, also those that already run",
          "agent-adopt --follow", "Show another program as an agent, here make",
          "agent-run -- make",
          "Ask here before Claude Code uses a tool", "gate-decide hook --setup claude --write",
          "To be notified when an agent waits for you, open ", "Device", ".",
        ])
      try await scratch.shell("agent-run --agent a -- true")
      try await scratch.until("the overview is that of agents") {
        try await Self.text(scratch, "/page").contains("Agents")
      }
      #expect(try await !Self.text(scratch, "/page").contains("To begin"))
    }
  }
}
