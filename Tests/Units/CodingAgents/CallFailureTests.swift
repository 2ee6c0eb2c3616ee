import CodingAgents
import Core
import TestSupport
import Testing

/// Failed model calls, and answers that are not whole.
struct CallFailureTests {
  private func claude(_ lines: String..., limits: SessionLimits = .chats) throws
    -> [SessionEntry]
  {
    try Transcript.entries(of: lines, ClaudeTranscript(SessionKey(.claude, "s"), limits: limits))
  }

  private func codex(_ events: String...) throws -> [SessionEntry] {
    let lines = events.map { #"{"type":"event_msg","payload":\#($0)}"# }
    return try Transcript.entries(
      of: [#"{"type":"session_meta","payload":{"id":"t"}}"#] + lines,
      CodexTranscript(SessionKey(.codex, "t"), limits: .chats))
  }

  private static func explanations(_ entries: [SessionEntry]) -> [String] {
    entries.compactMap { entry in
      switch entry.content {
      case .failure(let failure): failure.explanation
      case .retry(let retry): retry.failure.explanation
      default: nil
      }
    }
  }

  @Test(arguments: [
    ("Prompt is too long", FailureCode.badInput), ("400 prompt is too long: 9 > 8", .badInput),
    ("Your input exceeds the context window of this model.", .badInput),
    (#"{"error":{"type":"invalid_request_error","message":"no"}}"#, .badInput),
    ("API Error: 500 {\"type\":\"error\"}", .serverError), ("Request rejected (429)", .rateLimited),
    ("529 Overloaded", .overloaded), ("unexpected status 401 Unauthorized", .missingAPIKey),
    (#"[API Error: {"error":{"code":403,"message":"x"}}]"#, .permissionDenied),
    ("Please run /login", .missingAPIKey), ("Credit balance is too low", .quotaExhausted),
    ("stream disconnected before completion", .invalidResponse),
    ("Connection error.", .networkUnavailable), ("Request timed out", .timeout),
    ("It has 4294 lines, and costs $401.", .serverError), ("", .serverError),
  ])
  func `a failure has the code of its status or its words`(words: String, code: FailureCode) {
    let failure = Failure(call: words)
    #expect(failure.code == code && failure.explanation == words)
    #expect(Failure(call: "Prompt is too long").code.isRetryable == false)
  }

  @Test func `hostile words have a code`() {
    let nested = String(repeating: #"{"error":"#, count: 100_000)
    #expect(Failure(call: nested).code == .serverError)
    #expect(Failure(call: "", kind: "\u{1B}[31m x").kind == nil)
    #expect(Failure(call: "", status: 200).status == nil)
    #expect(Failure(call: "code 99999999999999999999").code == .serverError)
  }

  @Test func `each retry of Claude Code is told with its number, and is no end`() throws {
    let found = try claude(
      #"{"type":"system","subtype":"api_error","error":{"status":529,"message":"529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}","formatted":"529 Overloaded"},"retryAttempt":1,"maxRetries":10}"#,
      #"{"type":"system","subtype":"api_error","error":{"message":"Connection error.","formatted":"Closed","connection":{"code":"StreamTruncated"}},"retryAttempt":2,"maxRetries":10}"#,
      #"{"type":"system","subtype":"api_error","error":{"status":401,"error":{"type":"error","error":{"type":"authentication_error","message":"no"}}},"retryAttempt":3,"maxRetries":10}"#,
      #"{"type":"system","subtype":"api_error"}"#)
    #expect(
      Transcript.failures(found) == [
        "Overloaded 529 overloadedError", "InvalidResponse streamTruncated",
        "MissingAPIKey 401 authenticationError", "ServerError",
      ])
    let counts = found.map { entry in
      if case .retry(let retry) = entry.content { [retry.number, retry.most] } else { [-1] }
    }
    #expect(counts == [[1, 10], [2, 10], [3, 10], [nil, nil]])
    #expect(Self.explanations(found).first == "529 Overloaded")
  }

  @Test func `a call that failed in the end has the code of its status`() throws {
    func error(_ members: String, _ text: String) -> String {
      #"{"type":"assistant","isApiErrorMessage":true,\#(members)"message":{"model":"<synthetic>","content":[{"type":"text","text":"\#(text)"}]}}"#
    }
    let lines = [
      error(
        #""error":"invalid_request","apiErrorStatus":400,"apiErrorType":"invalid_request_error","#,
        "Prompt is too long · the request is ~9 tokens"),
      error("", "Prompt is too long"),
      error(#""error":"server_error","apiErrorStatus":529,"#, "Repeated 529 Overloaded errors"),
      error(#""error":"authentication_failed","#, "Not logged in · Please run /login"),
      error(#""error":"billing_error","apiErrorStatus":400,"#, "Credit balance is too low"),
    ]
    let expected = [
      "BadInput 400 invalidRequestError", "BadInput", "Overloaded 529 serverError",
      "MissingAPIKey authenticationFailed", "QuotaExhausted 400 billingError",
    ]
    for (line, code) in zip(lines, expected) {
      #expect(try Transcript.failures(claude(line)) == [code])
      // A reader that needs no text knows the code, too.
      let silent = try claude(line, limits: .noText)
      #expect(Transcript.failures(silent) == [code] && Self.explanations(silent) == [""])
    }
  }

  @Test func `a failed turn of Codex is a failure with its kind, and an end`() throws {
    func turn(_ message: String, _ info: String) -> String {
      #"{"type":"task_complete","error":{"message":"\#(message)","codex_error_info":\#(info)}}"#
    }
    let found = try codex(
      turn("You’ve hit your usage limit.", #""usage_limit_exceeded""#),
      turn("unexpected status 401", #"{"http_connection_failed":{"http_status_code":401}}"#),
      turn("gone", #"{"http_connection_failed":{}}"#),
      turn("stream disconnected before completion: closed", #""other""#),
      turn(
        #"{\"error\": {\"type\": \"invalid_request_error\", \"code\": \"context_length_exceeded\"}}"#,
        #""other""#),
      turn("too many", #"{"response_too_many_failed_attempts":{"http_status_code":503}}"#),
      turn("full", #""context_window_exceeded""#), turn("x", #""new_kind""#), turn("x", "7"),
      turn("Incomplete response returned, reason: max_output_tokens", #""other""#),
      turn("Incomplete response returned, reason: content_filter", #""other""#))
    #expect(
      Transcript.failures(found) == [
        "RateLimited usageLimitExceeded", "MissingAPIKey 401 httpConnectionFailed",
        "NetworkUnavailable httpConnectionFailed", "InvalidResponse cut",
        "BadInput contextLengthExceeded", "ServerError 503 responseTooManyFailedAttempts",
        "BadInput contextWindowExceeded", "ServerError newKind", "ServerError",
        "InvalidResponse cut", "ModelRefused contentFilter",
      ])
    #expect(found.count { $0.content == .turn(.ended) } == 11)
    let good = try codex(#"{"type":"task_complete","last_agent_message":"Done."}"#)
    #expect(Transcript.failures(good) == [])
    let again = try codex(
      #"{"type":"stream_error","message":"Reconnecting... 2/5 (unexpected status 503)"}"#)
    #expect(
      again.last?.content
        == .retry(
          SessionRetry(
            after: Failure(
              .serverError, "Reconnecting... 2/5 (unexpected status 503)", status: 503),
            number: 2, of: 5)))
  }

  @Test func `the context of Codex has the size that the file states`() throws {
    func context(_ events: String...) throws -> [Int?] {
      let counts = #"{"input_tokens":10,"output_tokens":1}"#
      let total = #"{"type":"token_count","info":{"total_token_usage":\#(counts)}}"#
      let lines = (events + [total]).map { #"{"type":"event_msg","payload":\#($0)}"# }
      let found = try Transcript.entries(
        of: lines, CodexTranscript(SessionKey(.codex, "t"), limits: .noText))
      return found.compactMap { entry in
        if case .call(let call) = entry.content { call.contextTokens } else { nil }
      }
    }
    #expect(
      try context(#"{"type":"task_started","model_context_window":258400}"#) == [258_400])
    for word in ["-1", "0", "null", #""many""#, "1e30"] {
      #expect(try context(#"{"type":"task_started","model_context_window":\#(word)}"#) == [nil])
    }
    let last = #""last_token_usage":{"input_tokens":1,"output_tokens":1}"#
    let told = #"{"type":"token_count","info":{"model_context_window":400,\#(last)}}"#
    #expect(try context(told) == [400, 400])
  }

  @Test func `without a word of the program, the context has the size of the catalogue`() {
    let now = Timestamp(milliseconds: 1_795_845_600_000)
    func size(_ model: String?, by agent: CodingAgent, _ provider: String? = nil) -> Int? {
      var call = SessionCall(id: "c", answer: "c", model: model, usage: nil)
      call.provider = provider
      return call.contextSize(by: agent, at: now)
    }
    #expect(size("gpt-5.5", by: .codex) == 1_050_000)
    #expect(size("gpt-5.5", by: .opencode, "openai") == 1_050_000)
    #expect(size("gpt-5.5", by: .opencode) == nil && size(nil, by: .codex) == nil)
    #expect(size("unheard-of", by: .codex) == nil)
  }

  @Test(arguments: [
    ("refusal", "ModelRefused refusal"), ("max_tokens", "InvalidResponse cut"),
    ("model_context_window_exceeded", "InvalidResponse cut"), ("end_turn", ""), ("tool_use", ""),
    ("pause_turn", ""),
  ])
  func `an answer of Claude that was refused or cut is not whole`(
    reason: String, expected: String
  ) throws {
    let found = try claude(
      #"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"I will"}],"stop_reason":"\#(reason)"}}"#
    )
    #expect(Transcript.failures(found) == (expected.isEmpty ? [] : [expected]))
  }

  @Test func `a notice of Gemini CLI about its last answer belongs to that answer`() throws {
    func ends(_ lines: String...) throws -> [String] {
      Transcript.failures(
        try Transcript.entries(
          of: [#"{"sessionId":"s"}"#] + lines,
          GeminiTranscript(SessionKey(.gemini, "file"), limits: .chats)))
    }
    let answer = #"{"id":"b","type":"gemini","content":"Y"}"#
    func notice(_ text: String) -> String { #"{"id":"c","type":"info","content":"\#(text)"}"# }
    #expect(
      try ends(answer, notice("⚠️  Response truncated due to token limits."))
        == ["InvalidResponse cut"])
    #expect(
      try ends(answer, notice("Response stopped due to safety reasons."))
        == ["ModelRefused contentFilter"])
    #expect(try ends(notice("Response stopped due to safety reasons.")) == [])
    #expect(try ends(answer, notice("Update available")) == [])
    #expect(
      try ends(#"{"id":"b","type":"gemini","content":"Y","finishReason":"MAX_TOKENS"}"#)
        == ["InvalidResponse cut"])
    #expect(
      try ends(#"{"id":"e","type":"error","content":"[API Error: got status: 429]"}"#)
        == ["RateLimited 429"])
  }

  @Test(arguments: [
    (#""finish":"length""#, "InvalidResponse cut"),
    (#""finish":"content-filter""#, "ModelRefused contentFilter"), (#""finish":"stop""#, ""),
    (
      #""error":{"name":"APIError","data":{"message":"no","statusCode":503}}"#,
      "ServerError 503 apiError"
    ),
    (#""error":{"name":"MessageOutputLengthError"}"#, "InvalidResponse cut"),
    (#""error":{"name":"ContextOverflowError"}"#, "BadInput contextOverflowError"),
    (#""error":{"name":"ProviderAuthError"}"#, "MissingAPIKey providerAuthError"),
    (
      #""error":{"name":"UnknownError","data":{"message":"prompt is too long"}}"#,
      "BadInput unknownError"
    ),
  ])
  func `an answer of OpenCode that failed or was cut says why`(
    members: String, expected: String
  ) {
    let message = OpenCodeTranscript.Message(
      id: "m", sessionId: "s", created: nil,
      data: Array(#"{"role":"assistant",\#(members)}"#.utf8),
      parts: [
        Array(
          #"{"type":"retry","attempt":2,"error":{"name":"APIError","data":{"statusCode":529}}}"#
            .utf8)
      ])
    let found = OpenCodeTranscript(limits: .chats).entries(of: message)
    let retry = "Overloaded 529 apiError"
    #expect(Transcript.failures(found) == (expected.isEmpty ? [retry] : [expected, retry]))
  }
}
