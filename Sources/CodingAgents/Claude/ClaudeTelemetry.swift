extension TelemetryNames {
  /// The telemetry of Claude Code, tried with the names of version 2.1.
  ///
  /// The counts of tokens are disjoint: input excludes cached tokens.
  static let claude = TelemetryNames(
    agent: .claude, provider: "anthropic", services: ["claude-code"],
    prefix: "claude_code.",
    session: "session.id", callId: "request_id",
    tokens: Tokens(
      input: "input_tokens", output: "output_tokens", cacheRead: "cache_read_tokens",
      cacheWrite: "cache_creation_tokens", cacheWrite1h: "cache_creation_1h_tokens",
      isInputUncached: true),
    costUSD: "cost_usd", toolName: "tool_name", toolCallId: "tool_use_id",
    failureReasons: ["error"], failureStatus: "status_code",
    meanings: [
      "api_request": .call, "api_error": .failure, "tool_result": .tool,
      "tool_decision": .decision, "user_prompt": .prompt,
      "api_request_body": .nothing, "api_response_body": .nothing,
    ],
    tokenMetric: "token.usage",
    tokenTypes: [
      "input": [.input], "output": [.output], "cacheRead": [.input, .cacheRead],
      "cacheCreation": [.input, .cacheWrite],
    ],
    costMetric: "cost.usage",
    harmless: [
      "attempt", "decision_source", "decision_type", "effort", "query_source", "speed",
      "start_type", "status_code", "tool_result_size_bytes", "tool_source",
    ])
}
