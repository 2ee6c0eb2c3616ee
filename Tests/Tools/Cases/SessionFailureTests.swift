import Foundation
import TestSupport
import Testing

/// Failed calls of other programs, from their files to the agents, the incidents and the chats.
@Suite("failed calls of sessions")
struct SessionFailureTests {
  /// A session without a process ends after ten minutes of silence.
  private static let began = Date(timeIntervalSinceNow: -1200)

  private static func time(_ second: Int) -> String {
    began.addingTimeInterval(Double(second)).ISO8601Format()
  }

  private static func codex(_ type: String, _ payload: String, at second: Int) -> String {
    #"{"timestamp":"\#(time(second))","type":"\#(type)","payload":\#(payload)}"#
  }

  /// A turn of Codex that failed after one call.
  private static let failed = [
    codex("session_meta", #"{"id":"c1","cwd":"/w"}"#, at: 0),
    codex("event_msg", #"{"type":"task_started","model_context_window":258400}"#, at: 1),
    codex("turn_context", #"{"model":"gpt-5.5"}"#, at: 1),
    codex("event_msg", #"{"type":"user_message","message":"Go."}"#, at: 1),
    codex(
      "token_usage_record",
      #"{"thread_id":"c1","response_id":"r","usage":{"input_tokens":200000,"output_tokens":6720}}"#,
      at: 2),
    codex(
      "event_msg",
      #"{"type":"task_complete","error":{"message":"secret words","codex_error_info":"usage_limit_exceeded"}}"#,
      at: 3),
  ]

  private static func claude(_ members: String, at second: Int) -> String {
    #"{"sessionId":"s1","cwd":"/w","timestamp":"\#(time(second))",\#(members)}"#
  }

  /// A session of Claude Code whose call was made again, and whose answer was refused.
  private static let refused = [
    claude(#""type":"user","message":{"role":"user","content":"First."}"#, at: 0),
    claude(
      #""type":"system","subtype":"api_error","error":{"status":529,"formatted":"secret words"},"retryAttempt":1,"maxRetries":10"#,
      at: 1),
    claude(
      #""type":"assistant","message":{"id":"m1","model":"claude-opus-5-5","content":[{"type":"text","text":"I will"}],"stop_reason":"refusal","usage":{"input_tokens":9,"output_tokens":1}}"#,
      at: 2),
    claude(#""type":"queue-operation","operation":"enqueue","content":"Then push.""#, at: 3),
  ]

  @Test func `a failed turn is an error of its agent, an incident and an error in the chat`()
    async throws
  {
    try await Scratch.with { scratch in
      try scratch.write(
        "codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-c1.jsonl",
        Self.failed.joined(separator: "\n") + "\n")
      scratch.set("CODEX_HOME", scratch.path("codex"))
      try await scratch.shell("agent-adopt --since 36500d >/dev/null")
      let agents = try await scratch.shell("agent-stat agents | jq -c '[.id, .status, .errors]'")
      #expect(agents.output == "[\"codex-c1\",\"error\",1]\n")
      let words = "a call of the model failed: RateLimited, usageLimitExceeded"
      let incidents = try await scratch.shell(
        "agent-stat incidents | jq -r '[.agentId, .summary] | join(\" \")'")
      #expect(incidents.output == "codex-c1 \(words)\n")
      let context = try await scratch.shell(
        "agent-stat context | jq -c '[.sessionId, .tokenUsage, .maxTokens]'")
      #expect(context.output == "[\"c1\",206720,258400]\n")
      #expect(try await !scratch.shell("stream-tail").output.contains("secret"))
      let messages = try await scratch.shell(
        """
        chat-log import --from-codex | jq -r .id | xargs chat-log show \
        | jq -c 'select(.error) | [.complete, .error.code, .error.kind, .error.retryable]'
        """)
      #expect(messages.output == "[false,\"RateLimited\",\"usageLimitExceeded\",true]\n")
    }
  }

  @Test func `retries and refusals are warnings, and prompts in the queue are not lost`()
    async throws
  {
    try await Scratch.with { scratch in
      try scratch.write(
        "claude/projects/-w/s1.jsonl", Self.refused.joined(separator: "\n") + "\n")
      scratch.set("CLAUDE_CONFIG_DIR", scratch.path("claude"))
      try await scratch.shell("agent-adopt --since 36500d >/dev/null")
      let agents = try await scratch.shell("agent-stat agents | jq -c '[.status, .errors]'")
      #expect(agents.output == "[\"finished\",0]\n")
      let logs = try await scratch.shell(
        "stream-tail | jq -r 'select(.level == \"warn\") | .message'")
      #expect(
        logs.output == """
          a call of the model failed: Overloaded, status 529, retry 1 of 10
          an answer is not complete: ModelRefused, refusal

          """)
      let context = try await scratch.shell("agent-stat context | jq -c .maxTokens")
      #expect(context.output == "1000000\n")
      let messages = try await scratch.shell(
        """
        chat-log import --from-claude | jq -r .id | xargs chat-log show \
        | jq -r 'select(.type == "message") | [.role, .text, .error.code, .labels.queue] | join(",")'
        """)
      #expect(
        messages.output == """
          user,First.,,
          assistant,I will,ModelRefused,
          user,Then push.,,waiting

          """)
    }
  }
}
