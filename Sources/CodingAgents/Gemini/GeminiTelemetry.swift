extension TelemetryNames {
  /// The telemetry of Gemini CLI, tried with the names of version 0.58.
  ///
  /// Input includes cached tokens, and output excludes reasoning. `service.version` is that of
  /// Node.js.
  static let gemini = TelemetryNames(
    agent: .gemini, provider: "gcp.gen_ai", services: ["gemini-cli"],
    prefix: "gemini_cli.",
    session: "session.id",
    tokens: Tokens(
      input: "input_token_count", output: "output_token_count",
      cacheRead: "cached_content_token_count", reasoning: "thoughts_token_count",
      tool: "tool_token_count", isOutputAnswer: true),
    toolName: "function_name",
    failureReasons: ["error_message", "error.message", "error"], failureStatus: "status_code",
    meanings: [
      "api_response": .call, "api_error": .failure, "tool_call": .tool, "user_prompt": .prompt,
      "api_request": .nothing,
    ],
    tokenMetric: "token.usage",
    tokenTypes: [
      "input": [.input], "tool": [.input], "cache": [.cacheRead], "output": [.output],
      "thought": [.output, .reasoning],
    ],
    harmless: [
      "auth_type", "error_type", "interactive", "mcp_server_name", "status_code", "tool_type",
    ])
}
