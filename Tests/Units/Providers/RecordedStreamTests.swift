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
      checkUsage(decoded.usage, final["usage"] as? [String: Any] ?? [:], recording.file)
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

  private func checkUsage(_ usage: Usage?, _ final: [String: Any], _ file: String) {
    func count(_ name: String) -> Int { final[name] as? Int ?? 0 }
    let write = count("cache_creation_input_tokens")
    let read = count("cache_read_input_tokens")
    #expect(usage?.inputTokens == count("input_tokens") + write + read, "\(file)")
    #expect(usage?.outputTokens == count("output_tokens"), "\(file)")
    #expect(usage?.cacheReadTokens == read, "\(file)")
    #expect(usage?.cacheWriteTokens == write, "\(file)")
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

  @Test(arguments: ["anthropic", "openai-chat", "compat"])
  func `recorded streams give the same however they arrive`(folder: String) throws {
    for recording in try Recordings.streams([folder]) {
      func decode(_ pieces: [[UInt8]]) -> Decoded {
        folder == "anthropic"
          ? Decoded(pieces, with: AnthropicStream())
          : Decoded(pieces, with: ChatCompletionsStream())
      }
      let whole = decode([recording.bytes])
      for delivery in deliveries(recording.bytes) {
        #expect(decode(delivery.pieces) == whole, "\(recording.file) \(delivery.name)")
      }
    }
  }

  @Test(arguments: ["anthropic", "openai-chat", "compat"])
  func `a recorded stream that loses its end is cut`(folder: String) throws {
    for recording in try Recordings.streams([folder]) {
      let mark = folder == "anthropic" ? "event: message_stop" : #""finish_reason":""#
      guard let end = recording.text.firstRange(of: mark) else { continue }
      let half = [Array(recording.text[..<end.lowerBound].utf8)]
      let decoded =
        folder == "anthropic"
        ? Decoded(half, with: AnthropicStream()) : Decoded(half, with: ChatCompletionsStream())
      #expect(decoded.answer == nil, "\(recording.file)")
      #expect(decoded.failure?.kind == "cut", "\(recording.file)")
      if folder == "anthropic" { #expect(decoded.usage != nil, "\(recording.file)") }
    }
  }
}
