extension TelemetryNames {
  /// The telemetry of Codex, tried with the names of version 0.163.
  ///
  /// Input includes cached tokens, and output includes reasoning. The metrics name no session, so
  /// they are never counted.
  static let codex = TelemetryNames(
    agent: .codex, provider: "openai", repeatsCalls: true,
    services: [
      "codex", "codex_cli_rs", "codex_exec", "codex_tui", "codex_vscode", "codex_mcp_server",
      "codex_app_server", "codex-app-server", "codex-tui",
    ], prefix: "codex.",
    session: "conversation.id",
    tokens: Tokens(
      input: "input_token_count", output: "output_token_count", cacheRead: "cached_token_count",
      cacheWrite: "cache_write_token_count", reasoning: "reasoning_token_count"),
    toolName: "tool_name", toolCallId: "call_id",
    failureReasons: ["error.message"], failureStatus: "http.response.status_code",
    kind: "event.kind",
    meanings: [
      "sse_event/response.completed": .call, "sse_event": .nothing, "websocket_event": .nothing,
      "websocket_request": .nothing, "api_request": .failure, "tool_result": .tool,
      "tool_decision": .decision, "user_prompt": .prompt,
    ],
    harmless: [
      "approval_policy", "attempt", "auth_mode", "env", "http.response.status_code", "mcp_server",
      "originator", "provider_name", "sandbox_policy", "slug",
    ])
}
