import Core
import Foundation
import TestSupport
import Testing

@testable import Providers

@Suite(.enabled(if: Recordings.areThere, "AGENTPIPES_EVAL names no folder of recordings"))
struct RecordedStreamTests {
  @Test func `Anthropic's recorded streams give what its own kit makes of them`() throws {
    let recordings = try Recordings.streams(["anthropic"])
    #expect(recordings.count > 40)
    // Some files hold the answers of several requests: only the first is the one that was asked for.
    for recording in recordings where recording.count(of: "\"type\":\"message_stop\"") == 1 {
      let decoded = Decoded([recording.bytes], with: AnthropicStream())
      let final = try #require(recording.final)
      let stop = final["stop_reason"] as? String
      if stop == "refusal" {
        #expect(decoded.failure?.code == .modelRefused, "\(recording.file)")
      } else {
        let answer = try #require(decoded.answer, "\(recording.file): \(decoded)")
        #expect(answer.stopReason == stop, "\(recording.file)")
        #expect(answer.model == final["model"] as? String, "\(recording.file)")
        #expect(answer.text == decoded.text, "\(recording.file)")
        // The kit goes on after a second start, where an answer begins again.
        if decoded.restarts == 0 || !recording.file.contains("spliced") {
          checkContent(answer, final["content"] as? [[String: Any]] ?? [], recording.file)
        }
      }
      checkUsage(decoded.usage, final["usage"] as? [String: Any] ?? [:], recording)
    }
  }

  private func checkContent(_ answer: ModelAnswer, _ blocks: [[String: Any]], _ file: String) {
    func all(_ type: String) -> [[String: Any]] {
      blocks.filter { $0["type"] as? String == type }
    }
    #expect(answer.text == all("text").compactMap { $0["text"] as? String }.joined(), "\(file)")
    let tools = all("tool_use")
    #expect(answer.toolCalls.map(\.id) == tools.map { $0["id"] as? String ?? "" }, "\(file)")
    #expect(answer.toolCalls.map(\.name) == tools.map { $0["name"] as? String ?? "" }, "\(file)")
    // The kit repairs arguments that the token limit cut off.
    guard answer.stopReason != "max_tokens" else { return }
    for (call, tool) in zip(answer.toolCalls, tools) {
      #expect(sameJSON(call.arguments, tool["input"]), "\(file): \(call.arguments)")
    }
  }

  /// Some servers report fewer tokens at the end than at the start: the kit takes those, and we the most.
  private func checkUsage(
    _ usage: Usage?, _ final: [String: Any], _ recording: Recordings.Recording
  ) {
    func counts(_ names: String...) -> ClosedRange<Int> {
      let last = names.map { final[$0] as? Int ?? 0 }
      let most = zip(names, last).map { name, last in
        recording.text.components(separatedBy: "\"\(name)\":").dropFirst()
          .compactMap { Int($0.drop { $0 == " " }.prefix { $0.isNumber }) }.reduce(last, max)
      }
      return last.reduce(0, +)...most.reduce(0, +)
    }
    let (read, write) = ("cache_read_input_tokens", "cache_creation_input_tokens")
    let usage = usage ?? Usage(inputTokens: -1)
    #expect(counts("input_tokens", read, write).contains(usage.inputTokens), "\(recording.file)")
    #expect(counts("output_tokens").contains(usage.outputTokens), "\(recording.file)")
    #expect(counts(read).contains(usage.cacheReadTokens), "\(recording.file)")
    #expect(counts(write).contains(usage.cacheWriteTokens), "\(recording.file)")
  }

  @Test func `recorded chat completions give what OpenAI's own kit makes of them`() throws {
    let recordings = try Recordings.streams(["openai-chat", "compat"])
    #expect(recordings.count > 15)
    for recording in recordings {
      let decoded = Decoded([recording.bytes], with: ChatCompletionsStream())
      // The kit crashes on one: that has a test of its own.
      guard let final = recording.final else { continue }
      let choice = (final["choices"] as? [[String: Any]])?.first ?? [:]
      let usage = final["usage"] as? [String: Any]
      guard let stop = choice["finish_reason"] as? String else {
        #expect(decoded.failure?.kind == "cut", "\(recording.file)")
        continue
      }
      // The kit forgets a usage that is followed by a chunk without.
      if let usage {
        #expect(decoded.usage?.inputTokens == usage["prompt_tokens"] as? Int, "\(recording.file)")
      }
      let answer = try #require(decoded.answer, "\(recording.file): \(decoded)")
      let message = choice["message"] as? [String: Any] ?? [:]
      #expect(answer.stopReason == stop, "\(recording.file)")
      #expect(answer.model == final["model"] as? String, "\(recording.file)")
      #expect(answer.text == message["content"] as? String ?? "", "\(recording.file)")
      #expect(answer.text == decoded.text, "\(recording.file)")
      #expect(answer.reasoning == message["reasoning_content"] as? String ?? "")
      checkCalls(answer, message["tool_calls"] as? [[String: Any]] ?? [], recording.file)
      if let usage, !recording.file.contains("xai") {
        #expect(answer.usage?.outputTokens == usage["completion_tokens"] as? Int)
      }
    }
  }

  private func checkCalls(_ answer: ModelAnswer, _ calls: [[String: Any]], _ file: String) {
    #expect(answer.toolCalls.count == calls.count, "\(file)")
    for (call, expected) in zip(answer.toolCalls, calls) {
      let function = expected["function"] as? [String: Any] ?? [:]
      let arguments = JSONObject(function["arguments"] as? String ?? "")
      #expect(call.name == function["name"] as? String, "\(file)")
      #expect(call.id == expected["id"] as? String ?? "", "\(file)")
      #expect(JSONObject(call.arguments)?.json == (arguments?.json ?? "{}"), "\(file)")
    }
  }

  @Test func `xAI's reasoning beside the completion is part of the output`() throws {
    let recordings = try Recordings.streams(["compat"])
    let recording = try #require(recordings.first { $0.file.contains("xai-tool-call") })
    let decoded = Decoded([recording.bytes], with: ChatCompletionsStream())
    #expect(decoded.usage?.outputTokens == 253)
    #expect(decoded.usage?.totalTokens == 560)
  }

  @Test func `a first tool index of 1 is one call`() throws {
    let recordings = try Recordings.streams(["compat"])
    let recording = try #require(recordings.first { $0.file.contains("fallback-tool-call") })
    let decoded = Decoded([recording.bytes], with: ChatCompletionsStream())
    #expect(decoded.answer?.toolCalls.count == 1)
    #expect(decoded.answer?.toolCalls.first?.arguments == #"{"path": "a.txt"}"#)
  }

  @Test func `recorded Responses give what their last event says`() throws {
    let recordings = try Recordings.streams(["openai-responses", "azure"])
    #expect(recordings.count > 40)
    for recording in recordings {
      let decoded = Decoded([recording.bytes], with: ResponsesStream())
      guard let terminal = recording.row["terminal"] as? String else {
        #expect(decoded.failure?.code == .invalidResponse, "\(recording.file)")
        continue
      }
      guard terminal != "response.failed" else {
        #expect(decoded.failure?.code == .quotaExhausted, "\(recording.file)")
        continue
      }
      // Some files hold the answers of several requests; the last one's is the expected.
      guard recording.count(of: "\"type\":\"response.completed\"") == 1 else { continue }
      let answer = try #require(decoded.answer, "\(recording.file): \(decoded)")
      let output = recording.row["output"] as? [[String: Any]] ?? []
      func all(_ type: String) -> [[String: Any]] {
        output.filter { $0["type"] as? String == type }
      }
      let text = all("message").flatMap { $0["content"] as? [[String: Any]] ?? [] }
        .compactMap { $0["text"] as? String }.joined()
      #expect(answer.text == text, "\(recording.file)")
      #expect(decoded.text == text, "\(recording.file)")
      let calls = all("function_call")
      #expect(answer.toolCalls.map(\.id) == calls.map { $0["call_id"] as? String ?? "" })
      #expect(answer.toolCalls.map(\.name) == calls.map { $0["name"] as? String ?? "" })
      #expect(answer.toolCalls.map(\.arguments) == calls.map { $0["arguments"] as? String ?? "" })
      let usage = recording.row["usage"] as? [String: Any] ?? [:]
      if let count = usage["output_tokens"] as? Int, count > 0 {
        #expect(decoded.usage?.inputTokens == usage["input_tokens"] as? Int, "\(recording.file)")
        #expect(decoded.usage?.outputTokens == count, "\(recording.file)")
      }
      // What is more than words goes back as it came.
      #expect((answer.opaque == nil) == (output.count == all("message").count))
      if let opaque = answer.opaque {
        #expect(recording.text.contains(opaque.content), "\(recording.file)")
      }
    }
  }

  @Test func `what Anthropic wants back is every block as its own kit has it`() throws {
    var kept = 0
    for recording in try Recordings.streams(["anthropic"])
    where recording.count(of: "\"type\":\"message_stop\"") == 1
      && recording.count(of: "\"type\":\"message_start\"") == 1
    {
      guard let opaque = Decoded([recording.bytes], with: AnthropicStream()).answer?.opaque else {
        continue
      }
      kept += 1
      let list = try JSONSerialization.jsonObject(with: Data(opaque.content.utf8))
      let blocks = try #require(list as? [[String: Any]])
      let expected = recording.final?["content"] as? [[String: Any]] ?? []
      #expect(blocks.count == expected.count, "\(recording.file)")
      for (block, other) in zip(blocks, expected) {
        for name in ["type", "text", "thinking", "signature", "data", "id", "name"] {
          #expect(
            block[name] as? String ?? "" == other[name] as? String ?? "",
            "\(recording.file): \(name)")
        }
        // The kit reads no pieces of a server's own calls, and repairs arguments that were cut off.
        if let input = block["input"], block["type"] as? String != "mcp_tool_use",
          recording.final?["stop_reason"] as? String != "max_tokens"
        {
          #expect(
            sameJSON(
              String(decoding: try JSONSerialization.data(withJSONObject: input), as: UTF8.self),
              other["input"]), "\(recording.file)")
        }
      }
    }
    #expect(kept > 20)
  }

  private func decode(_ pieces: [[UInt8]], _ folder: String) -> Decoded {
    switch folder {
    case "anthropic": Decoded(pieces, with: AnthropicStream())
    case "openai-responses", "azure": Decoded(pieces, with: ResponsesStream())
    default: Decoded(pieces, with: ChatCompletionsStream())
    }
  }

  @Test(arguments: ["anthropic", "openai-chat", "compat", "openai-responses", "azure"])
  func `recorded streams give the same however they arrive`(folder: String) throws {
    for recording in try Recordings.streams([folder]) {
      func decode(_ pieces: [[UInt8]]) -> Decoded { self.decode(pieces, folder) }
      let whole = decode([recording.bytes])
      for delivery in deliveries(recording.bytes) {
        #expect(decode(delivery.pieces) == whole, "\(recording.file) \(delivery.name)")
      }
    }
  }

  @Test(arguments: ["anthropic", "openai-chat", "compat", "openai-responses"])
  func `a recorded stream that loses its end is cut`(folder: String) throws {
    for recording in try Recordings.streams([folder]) {
      let mark =
        switch folder {
        case "anthropic": "event: message_delta"
        case "openai-responses": "event: response.completed"
        default: #""finish_reason":""#
        }
      guard let end = recording.text.firstRange(of: mark) else { continue }
      let half = [Array(recording.text[..<end.lowerBound].utf8)]
      let decoded = decode(half, folder)
      #expect(decoded.answer == nil, "\(recording.file)")
      #expect(decoded.failure?.kind == "cut", "\(recording.file)")
    }
  }

  @Test func `a recorded stream that loses its last event is whole, with its usage`() throws {
    for recording in try Recordings.streams(["anthropic"]) {
      // A refusal needs its mark.
      guard let end = recording.text.firstRange(of: "event: message_stop"),
        !recording.text.contains(#""stop_reason":"refusal""#)
      else { continue }
      let decoded = decode([Array(recording.text[..<end.lowerBound].utf8)], "anthropic")
      #expect(decoded.failure == nil && decoded.answer != nil, "\(recording.file)")
      #expect(decoded.usage != nil, "\(recording.file)")
    }
  }
}
