import Asking
import Core
import Foundation
import Keys
import Providers
import Synchronization
import TestSupport
import Testing

@testable import Chats

/// The recordings in the folder that AGENTPIPES_EVAL names.
private enum Recordings {
  static let folder = ProcessInfo.processInfo.environment["AGENTPIPES_EVAL"]
    .map { $0 + "/wire/streams/" }
}

/// Recorded streams of real services drive the loop of tools.
@Suite(.enabled(if: Recordings.folder != nil, "AGENTPIPES_EVAL names no recordings"))
struct RecordedRoundTests {
  /// The streams of an API, and the last answer over the same API.
  struct API: Sendable, CustomTestStringConvertible {
    var name: String
    var folder: String
    var model: String
    /// The mark of the end of an answer; some files contain several answers.
    var end: String
    /// The member that holds sealed reasoning.
    var seal: String
    var last: String

    var testDescription: String { name }
  }

  static let apis = [
    API(
      name: "messages", folder: "anthropic", model: "claude-sonnet-4-6",
      end: #""type":"message_stop""#, seal: "signature",
      last: """
        event: message_start
        data: {"type":"message_start","message":{"model":"m","role":"assistant","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}

        event: content_block_start
        data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Done."}}

        event: content_block_stop
        data: {"type":"content_block_stop","index":0}

        event: message_delta
        data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}

        event: message_stop
        data: {"type":"message_stop"}


        """),
    API(
      name: "chat completions", folder: "openai-chat", model: "chatter", end: "[DONE]",
      seal: "none",
      last: """
        data: {"model":"m","choices":[{"index":0,"delta":{"content":"Done."},"finish_reason":"stop"}]}

        data: [DONE]


        """),
    API(
      name: "responses", folder: "openai-responses", model: "gpt-6-luna",
      end: #""type":"response.completed""#, seal: "encrypted_content",
      last: """
        event: response.completed
        data: {"type":"response.completed","response":{"model":"m","status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done.","annotations":[]}]}],"usage":{"input_tokens":1,"output_tokens":2}}}


        """),
  ]

  @Test(arguments: apis)
  func `calls and sealed reasoning return byte for byte`(_ api: API) async throws {
    let root = try #require(Recordings.folder) + api.folder
    var (rounds, seals) = (0, 0)
    for file in try FileManager.default.contentsOfDirectory(atPath: root).sorted() {
      guard file.hasSuffix(".sse") else { continue }
      let recorded = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
      guard recorded.ranges(of: api.end).count == 1 else { continue }
      guard let (turns, body) = try await run(api, recorded, file) else { continue }
      rounds += 1
      let results = try #require(turns[2].toolResults)
      #expect(turns.last?.text == "Done.", "\(file): \(String(describing: turns.last?.error))")
      #expect(results.count == turns[1].toolCalls?.count, "\(file)")
      for call in turns[1].toolCalls ?? [] { #expect(body.contains("\"\(call.id)\""), "\(file)") }
      if let opaque = turns[1].opaque?.content {
        #expect(body.contains(opaque.dropFirst().dropLast()), "\(file)")
        let pattern = try Regex("\"\(api.seal)\":\\s?\"([^\"]+)\"")
        for match in opaque.matches(of: pattern) {
          seals += 1
          let seal = String(match.output[1].substring ?? "")
          #expect(recorded.contains(seal) && body.contains(seal), "\(file)")
        }
      }
    }
    #expect(rounds > 0 && (seals > 0 || api.seal == "none" || api.folder == "anthropic"))
  }

  /// Sends a prompt that is answered by the recording; returns the turns and the second request, or
  /// nil if the recorded answer calls no tool.
  private func run(
    _ api: API, _ recorded: String, _ file: String
  ) async throws -> (turns: [Message], body: String)? {
    let count = Mutex(0)
    let server = try LoopbackServer { _ in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      return Reply(
        "HTTP/1.1 200 OK\ncontent-type: text/event-stream\nconnection: close\n\n",
        body: Array((isFirst ? recorded : api.last).utf8))
    }
    let home = try Home()
    let environment = [
      "ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k", "LOCAL_API_KEY": "k",
      "ANTHROPIC_BASE_URL": server.url(""), "OPENAI_BASE_URL": server.url("/v1"),
    ]
    var settings = Settings()
    var (local, luna) = (Settings.ModelSettings(), Settings.ModelSettings())
    (local.provider, local.endpoint) = ("local", server.url("/v1"))
    (luna.provider, luna.kind) = ("openai", "responses")
    settings.models = ["chatter": local, "gpt-6-luna": luna]
    let keys = KeyStore(directories: home.directories, environment: environment, command: nil)
    let access = ModelAccess(
      settings, home.directories, keys: keys, environment: environment,
      timeouts: (nil, nil, nil), retries: 0)
    var bench = ScriptedBench()
    bench.takesAll = true
    var options = ChatOptions()
    options.models = [api.model]
    options.tools = ChatTools(bench)
    let chats = try home.chats()
    let sender = try ChatSender(access, chats: chats, options: options, isStored: true)
    _ = try await sender.prepare(ChatPrompt(text: "Look."), in: ChatPlace()).send { _ in }
    let turns = try chats.turns(of: try chats.lastChat()?.id ?? "")
    guard turns.count == 4, server.requests.count == 2 else { return nil }
    return (turns, server.requests[1])
  }
}
