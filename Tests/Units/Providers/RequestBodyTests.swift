import Core
import Testing

@testable import Providers

/// What goes over each wire, as whole texts.
struct RequestBodyTests {
  private static let call = ModelAnswer.ToolRequest(
    id: "call_1", name: "look", arguments: #"{"place": "Paris"}"#)

  /// A request with all that a request can have.
  private static func request(api: String, opaque: String) -> ModelRequest {
    let picture = RequestFile(name: "a.png", contentType: "image/png", content: [1, 2, 3])
    let document = RequestFile(name: "b.pdf", contentType: "application/pdf", content: [4, 5])
    var request = ModelRequest(
      system: "Be brief.",
      turns: [
        .init(role: "user", parts: [.image(picture), .file(document), .text("what \"is\" it/?")]),
        .init(
          role: "assistant", parts: [.text("I look.")],
          opaque: Message.Opaque(api: api, content: opaque)),
        .init(
          role: "user",
          parts: [.toolResult(ToolOutput(id: "call_0", text: "A cat", isError: true))]),
        .init(role: "assistant", parts: [.text("Once more."), .toolCall(call)]),
        .init(
          role: "user",
          parts: [.toolResult(ToolOutput(id: "call_1", text: "漢字")), .text("and now?")]),
      ], temperature: 0.5, maximumOutputTokens: 77)
    request.tools = [
      ToolOffer(name: "look", description: "Looks.", inputSchema: #"{"type": "object"}"#)
    ]
    request.toolChoice = .named("look")
    request.schema = AnswerSchema(name: "answer", json: #"{"type":  "object"}"#)
    return request
  }

  @Test func `Anthropic is sent blocks, marks, and its own blocks as they came`() throws {
    var request = Self.request(
      api: "anthropic", opaque: #"[{"type":"thinking", "signature":"a/b=="}]"#)
    request.stopSequences = ["END"]
    request.cachesSystem = true
    request.turns[4].cachedParts = 2
    let text = try AnthropicBody(request: request, model: "claude-x").text().json
    #expect(
      text
        == #"{"max_tokens":77,"messages":["#
        + #"{"content":[{"source":{"data":"AQID","media_type":"image/png","type":"base64"},"type":"image"},"#
        + #"{"source":{"data":"BAU=","media_type":"application/pdf","type":"base64"},"title":"b.pdf","type":"document"},"#
        + #"{"text":"what \"is\" it/?","type":"text"}],"role":"user"},"#
        + #"{"content":[{"type":"thinking", "signature":"a/b=="}],"role":"assistant"},"#
        + #"{"content":[{"content":"A cat","is_error":true,"tool_use_id":"call_0","type":"tool_result"}],"role":"user"},"#
        + #"{"content":[{"text":"Once more.","type":"text"},"#
        + #"{"id":"call_1","input":{"place": "Paris"},"name":"look","type":"tool_use"}],"role":"assistant"},"#
        + #"{"content":[{"content":"漢字","tool_use_id":"call_1","type":"tool_result"},"#
        + #"{"cache_control":{"type":"ephemeral"},"text":"and now?","type":"text"}],"role":"user"}],"#
        + #""model":"claude-x","output_config":{"format":{"schema":{"type":  "object"},"type":"json_schema"}},"#
        + #""stop_sequences":["END"],"stream":true,"#
        + #""system":[{"cache_control":{"type":"ephemeral"},"text":"Be brief.","type":"text"}],"#
        + #""temperature":0.5,"tool_choice":{"name":"look","type":"tool"},"#
        + #""tools":[{"description":"Looks.","input_schema":{"type": "object"},"name":"look"}]}"#)
  }

  @Test func `chat completions are sent messages, and the words alone of what was sealed`() throws {
    var request = Self.request(api: "anthropic", opaque: "[]")
    request.stopSequences = ["END"]
    let text = try ChatCompletionsBody(request: request, model: "m", namesCompletionTokens: false)
      .text().json
    #expect(
      text
        == #"{"max_tokens":77,"messages":[{"content":"Be brief.","role":"system"},"#
        + #"{"content":[{"image_url":{"url":"data:image/png;base64,AQID"},"type":"image_url"},"#
        + #"{"file":{"file_data":"data:application/pdf;base64,BAU=","filename":"b.pdf"},"type":"file"},"#
        + #"{"text":"what \"is\" it/?","type":"text"}],"role":"user"},"#
        + #"{"content":"I look.","role":"assistant"},"#
        + #"{"content":"A cat","role":"tool","tool_call_id":"call_0"},"#
        + #"{"content":"Once more.","role":"assistant","tool_calls":[{"function":{"arguments":"{\"place\": \"Paris\"}","name":"look"},"id":"call_1","type":"function"}]},"#
        + #"{"content":"漢字","role":"tool","tool_call_id":"call_1"},{"content":"and now?","role":"user"}],"#
        + #""model":"m","response_format":{"json_schema":{"name":"answer","schema":{"type":  "object"}},"type":"json_schema"},"#
        + #""stop":["END"],"stream":true,"stream_options":{"include_usage":true},"temperature":0.5,"#
        + #""tool_choice":{"function":{"name":"look"},"type":"function"},"#
        + #""tools":[{"function":{"description":"Looks.","name":"look","parameters":{"type": "object"}},"type":"function"}]}"#
    )
  }

  @Test func `Responses are sent items, and those that were sealed as they came`() throws {
    let request = Self.request(
      api: "responses", opaque: #"[{"type":"reasoning", "encrypted_content":"a/b=="},{"x":1}]"#)
    let text = try ResponsesBody(request: request, model: "m", reasons: false).text().json
    #expect(
      text
        == #"{"input":[{"content":[{"image_url":"data:image/png;base64,AQID","type":"input_image"},"#
        + #"{"file_data":"data:application/pdf;base64,BAU=","filename":"b.pdf","type":"input_file"},"#
        + #"{"text":"what \"is\" it/?","type":"input_text"}],"role":"user","type":"message"},"#
        + #"{"type":"reasoning", "encrypted_content":"a/b=="},{"x":1},"#
        + #"{"call_id":"call_0","output":"A cat","type":"function_call_output"},"#
        + #"{"content":[{"text":"Once more.","type":"output_text"}],"role":"assistant","type":"message"},"#
        + #"{"arguments":"{\"place\": \"Paris\"}","call_id":"call_1","name":"look","type":"function_call"},"#
        + #"{"call_id":"call_1","output":"漢字","type":"function_call_output"},"#
        + #"{"content":[{"text":"and now?","type":"input_text"}],"role":"user","type":"message"}],"#
        + #""instructions":"Be brief.","max_output_tokens":77,"model":"m","store":false,"stream":true,"#
        + #""temperature":0.5,"text":{"format":{"name":"answer","schema":{"type":  "object"},"type":"json_schema"}},"#
        + #""tool_choice":{"name":"look","type":"function"},"#
        + #""tools":[{"description":"Looks.","name":"look","parameters":{"type": "object"},"strict":false,"type":"function"}]}"#
    )
  }

  @Test func `a model that reasons seals its reasoning, and effort and limit have their names`()
    throws
  {
    var request = ModelRequest(
      system: "", turns: [.init(role: "user", text: "ask")], temperature: 1,
      maximumOutputTokens: 4096)
    request.effort = "low"
    request.cacheKey = "c1"
    request.omitted = [.temperature]
    #expect(
      try ResponsesBody(request: request, model: "o3", reasons: true).text().json
        == #"{"include":["reasoning.encrypted_content"],"input":[{"content":[{"text":"ask","type":"input_text"}],"role":"user","type":"message"}],"max_output_tokens":4096,"model":"o3","prompt_cache_key":"c1","reasoning":{"effort":"low"},"store":false,"stream":true}"#
    )
    #expect(
      try ChatCompletionsBody(request: request, model: "o3", namesCompletionTokens: true)
        .text().json
        == #"{"max_completion_tokens":4096,"messages":[{"content":"ask","role":"user"}],"model":"o3","prompt_cache_key":"c1","reasoning_effort":"low","stream":true,"stream_options":{"include_usage":true}}"#
    )
    #expect(
      try AnthropicBody(request: request, model: "claude-x").text().json
        == #"{"max_tokens":4096,"messages":[{"content":"ask","role":"user"}],"model":"claude-x","output_config":{"effort":"low"},"stream":true}"#
    )
    request.omitted = Set(OptionalMember.allCases).subtracting([.oldLimitName, .newLimitName])
    #expect(
      try ResponsesBody(request: request, model: "o3", reasons: true).text().json
        == #"{"input":[{"content":[{"text":"ask","type":"input_text"}],"role":"user","type":"message"}],"model":"o3","stream":true}"#
    )
    #expect(
      try ChatCompletionsBody(request: request, model: "o3", namesCompletionTokens: true)
        .text().json
        == #"{"messages":[{"content":"ask","role":"user"}],"model":"o3","stream":true}"#)
    request.omitted = [.newLimitName, .effort, .cache, .streamOptions, .temperature]
    #expect(
      try ChatCompletionsBody(request: request, model: "o3", namesCompletionTokens: true)
        .text().json
        == #"{"max_tokens":4096,"messages":[{"content":"ask","role":"user"}],"model":"o3","stream":true}"#
    )
  }

  @Test func `arguments that are no object go to Anthropic as an empty one`() throws {
    let call = ModelAnswer.ToolRequest(id: "c", name: "n", arguments: "[1")
    let request = ModelRequest(
      system: "", turns: [.init(role: "assistant", parts: [.toolCall(call)])])
    #expect(
      try AnthropicBody(request: request, model: "m").text().json
        .contains(#""input":{},"name":"n","type":"tool_use""#))
  }
}
