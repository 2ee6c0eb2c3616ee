import CodingAgents
import Core
import Foundation
import TestSupport
import Testing

@testable import Chats

/// Imports of sessions, from files that grow, that are copied and that disappear.
struct SessionImportTests {
  private static let claude: [String: [String]] = [
    "s1.jsonl": [
      prompt("First.", at: 0), answer("m1", "One", at: 1, output: 1),
      answer("m1", "and more", at: 2, output: 8), prompt("Second.", at: 3),
      answer("m2", "Two", at: 4, output: 5), #"{"type":"ai-title","aiTitle":"T","sessionId":"s1"}"#,
    ],
    // A replay of m2, and a call of its own.
    "s1/subagents/agent-a.jsonl": [
      answer("m2", "Two", at: 5, output: 5, request: "r9", more: side),
      answer("m3", "Aside", at: 6, output: 2, more: side),
    ],
    // A fork, which copies the beginning.
    "s2.jsonl": [
      prompt("First.", at: 0, of: "s2", more: fork),
      answer("m1", "One", at: 1, output: 1, of: "s2", more: fork),
      prompt("Other.", at: 7, of: "s2"), answer("m4", "Fork", at: 8, output: 3, of: "s2"),
    ],
    // A copy as old versions made it, without a word about its origin.
    "s3.jsonl": [
      prompt("First.", at: 0, of: "s3"), answer("m1", "One", at: 1, output: 8, of: "s3"),
      prompt("Third.", at: 9, of: "s3"), answer("m5", "Three", at: 10, output: 4, of: "s3"),
    ],
  ]
  private static let side = #""isSidechain":true,"agentId":"a","#
  private static let fork = #""forkedFrom":{"sessionId":"s1","messageUuid":"u"},"#

  private static func head(_ at: Int, _ session: String, _ more: String) -> String {
    let time = Timestamp(milliseconds: 1_770_000_000_000 + Int64(at) * 1000).iso8601
    return #"\#(more)"sessionId":"\#(session)","cwd":"/w","timestamp":"\#(time)""#
  }

  private static func prompt(
    _ text: String, at: Int, of session: String = "s1", more: String = ""
  ) -> String {
    #"{"type":"user",\#(head(at, session, more)),"message":{"role":"user","content":"\#(text)"}}"#
  }

  private static func answer(
    _ id: String, _ text: String, at: Int, output: Int, request: String = "r",
    of session: String = "s1", more: String = ""
  ) -> String {
    #"{"type":"assistant",\#(head(at, session, more)),"requestId":"\#(request)","message":{"id":"\#(id)","model":"m","content":[{"type":"text","text":"\#(text)"}],"usage":{"input_tokens":10,"output_tokens":\#(output)}}}"#
  }

  /// A store, and the folder of an agent.
  private struct Place {
    let home: Home
    let chats: ChatStore
    let folder: String

    init() throws {
      home = try Home()
      chats = try home.chats()
      folder = "\(home.path)/agent/projects"
    }

    /// Writes the beginning of each file, which looks as if it had not changed for long.
    func write(_ files: [String: [UInt8]], upTo ends: [String: Int]) throws {
      for (name, bytes) in files {
        let path = "\(folder)/\(name)"
        try FileManager.default.createDirectory(
          atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(bytes.prefix(ends[name] ?? bytes.count)).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: path)
      }
    }

    @discardableResult
    func imports(_ agent: CodingAgent = .claude, version: String = "1") throws -> [Chat] {
      var sessions = SessionImport(
        into: chats, except: ImportedSources(home.directories, version: version),
        environment: ProcessInfo.processInfo.environment, interruption: Interruption())
      try sessions.run(agent, at: folder, reporting: { _ in }) { (failure) throws(Failure) in
        // A file of which nothing is readable yet is reported and skipped.
        guard failure.code == .badInput else { throw failure }
      }
      return sessions.changedChats
    }

    /// All that the store contains, as text.
    func content() throws -> String {
      var lines: [String] = []
      try chats.export([]) { (record) throws(Failure) in lines.append(try record.json()) }
      for aspect in [UsageSum.Aspect.model, .day, .tool, .project] {
        lines += try chats.usage(by: aspect).map { try $0.json() }
      }
      return lines.sorted().joined(separator: "\n")
    }
  }

  private static let files = claude.mapValues { Array(($0.joined(separator: "\n") + "\n").utf8) }

  private func whole() throws -> Place {
    let place = try Place()
    try place.write(Self.files, upTo: [:])
    try place.imports()
    return place
  }

  @Test func `each message comes in once, in the chat that it belongs to`() throws {
    let place = try whole()
    let texts = try place.chats.chats().reversed().map { chat in
      [chat.title ?? ""] + (try place.chats.turns(of: chat.id).map(\.text))
    }
    #expect(
      texts == [
        // The title of the subagent is the answer that it replays.
        ["T", "First.", "One\n\nand more", "Second.", "Two"], ["Two", "Aside"],
        ["Other.", "Other.", "Fork"], ["First.", "Third.", "Three"],
      ])
    let sum = try #require(try place.chats.usage(by: .tool).first)
    #expect(sum.calls == 5 && sum.inputTokens == 50 && sum.outputTokens == 22)
    #expect(sum.key == "claude" && sum.costUSD == nil)
    #expect(try place.chats.projects().map(\.localPath) == ["/w"])
    let fork = try #require(try place.chats.chats().first { $0.title == "Other." })
    let first = try #require(try place.chats.chats().first { $0.title == "T" })
    #expect(fork.labels?["forkedFrom"] == first.id)
  }

  @Test func `the terms of an answer set its price, or make it unknown`() throws {
    func cost(_ terms: String) throws -> Double? {
      let place = try Place()
      let answer = Self.answer("m1", "One", at: 1_000_000, output: 0)
        .replacing(#""model":"m""#, with: #""model":"claude-opus-4-6""#)
        .replacing(#""input_tokens":10"#, with: #""input_tokens":1000000\#(terms)"#)
      try place.write(["s1.jsonl": Array((answer + "\n").utf8)], upTo: [:])
      try place.imports()
      let sums = try place.chats.usage(by: .tool)
      #expect(sums.map(\.inputTokens) == [1_000_000])
      return sums.first?.costUSD
    }
    #expect(try cost("") == 10)
    #expect(try cost(#","inference_geo":"us""#) == 11)
    #expect(try cost(#","service_tier":"gold""#) == nil)
    #expect(try cost(#","server_tool_use":{"web_search_requests":1}"#) == nil)
  }

  @Test func `a second import adds nothing, and nothing depends on the files`() throws {
    let place = try whole()
    let before = try place.content()
    #expect(try place.imports() == [])
    #expect(try place.content() == before)
    try FileManager.default.removeItem(atPath: "\(place.folder)/s1.jsonl")
    #expect(try place.imports() == [])
    #expect(try place.content() == before)
  }

  @Test func `an unchanged file is read again only if its chat changed, or by another version`()
    throws
  {
    let place = try Place()
    func write(_ text: String) throws {
      let lines = [Self.prompt("First.", at: 0), Self.answer("m1", text, at: 1, output: 1)]
      try place.write(
        ["s1.jsonl": Array((lines.joined(separator: "\n") + "\n").utf8)], upTo: [:])
    }
    func texts() throws -> [String] {
      try place.chats.chats().flatMap { try place.chats.turns(of: $0.id).map(\.text) }
    }
    try write("One")
    let chat = try #require(try place.imports().first)
    // No agent writes so, but it shows which files are read.
    try write("Two")
    #expect(try place.imports() == [])
    #expect(try texts() == ["First.", "One"])
    let answer = try #require(try place.chats.turns(of: chat.id).last?.id)
    try place.chats.remove([answer])
    #expect(try place.imports().map(\.id) == [chat.id])
    #expect(try texts() == ["First.", "Two"])
    try place.chats.remove([chat.id])
    try write("Six")
    #expect(try place.imports().map(\.id) == [chat.id])
    #expect(try texts() == ["First.", "Six"])
    try write("Seven")
    #expect(try place.imports().map(\.id) == [chat.id])
    #expect(try texts() == ["First.", "Seven"])
    try write("Eight")
    #expect(try place.imports() == [])
    try place.chats.remove([chat.id])
    #expect(try place.imports(version: "2").count == 1)
    #expect(try texts() == ["First.", "Eight"])
    try Data("{".utf8).write(to: URL(filePath: place.home.directories.cache + "/imported.json"))
    #expect(try place.imports() == [])
  }

  @Test func `imports of growing files end in the same store`() throws {
    let expected = try whole().content()
    var random = SeededRandom(seed: 3)
    for _ in 0..<6 {
      let place = try Place()
      var ends = Self.files.mapValues { _ in 0 }
      for _ in 0..<2 {
        for (name, bytes) in Self.files.sorted(by: { $0.key < $1.key }) {
          ends[name] = Int.random(in: (ends[name] ?? 0)...bytes.count, using: &random)
        }
        try place.write(Self.files, upTo: ends)
        try place.imports()
      }
      try place.write(Self.files, upTo: [:])
      try place.imports()
      #expect(try place.content() == expected)
    }
  }

  @Test func `the order in which files appear does not matter`() throws {
    let expected = try whole().content()
    let names = Self.files.keys.sorted()
    for half in [Set(names.prefix(2)), Set(names.suffix(2))] {
      let place = try Place()
      try place.write(Self.files.filter { half.contains($0.key) }, upTo: [:])
      try place.imports()
      try place.write(Self.files, upTo: [:])
      try place.imports()
      #expect(try place.content() == expected)
    }
  }

  @Test func `a title that a person gave is kept`() throws {
    let place = try Place()
    try place.write(["s1.jsonl": Array((Self.prompt("First.", at: 0) + "\n").utf8)], upTo: [:])
    let chat = try #require(try place.imports().first)
    _ = try place.chats.rename(chat, to: "Mine")
    try place.write(Self.files, upTo: [:])
    try place.imports()
    #expect(try place.chats.chat(chat.id).title == "Mine")
  }

  @Test func `a rewound message leaves the chat, and its tokens count`() throws {
    let place = try Place()
    let lines = [
      #"{"sessionId":"g","startTime":"2026-03-01T10:00:00.000Z"}"#,
      #"{"id":"a","timestamp":"2026-03-01T10:00:01.000Z","type":"user","content":[{"text":"Go"}]}"#,
      #"{"id":"b","timestamp":"2026-03-01T10:00:02.000Z","type":"gemini","model":"x","content":"Gone","tokens":{"input":7,"output":1}}"#,
      #"{"$rewindTo":"b"}"#,
    ]
    let file = ["p/chats/s.jsonl": Array((lines.joined(separator: "\n") + "\n").utf8)]
    let before = lines.dropLast().joined(separator: "\n").utf8.count + 1
    try place.write(file, upTo: ["p/chats/s.jsonl": before])
    let chat = try #require(try place.imports(.gemini).first)
    #expect(try place.chats.turns(of: chat.id).map(\.text) == ["Go", "Gone"])
    try place.write(file, upTo: [:])
    try place.imports(.gemini)
    #expect(try place.chats.turns(of: chat.id).map(\.text) == ["Go"])
    #expect(try place.chats.usage(by: .model).map(\.inputTokens) == [7])
    #expect(try place.imports(.gemini) == [])
  }

  @Test func `lines that cannot be read are skipped, and the rest is as before`() throws {
    let expected = try whole().content()
    let place = try Place()
    try place.write(
      Self.claude.mapValues { lines in
        Array(lines.flatMap { ["{\"type\":", $0, "\u{0}"] }.joined(separator: "\n").utf8)
      }, upTo: [:])
    try place.imports()
    #expect(try place.content() == expected)
  }

  // MARK: The queue, and failures

  private static func operation(_ operation: String, _ content: String? = nil, at: Int) -> String {
    let text = content.map { #","content":"\#($0)""# } ?? ""
    return #"{"type":"queue-operation","operation":"\#(operation)",\#(head(at, "s1", ""))\#(text)}"#
  }

  private func imported(_ lines: [String], _ agent: CodingAgent = .claude) throws -> [Message] {
    let place = try Place()
    try place.write(["s1.jsonl": Array((lines.joined(separator: "\n") + "\n").utf8)], upTo: [:])
    let chat = try #require(try place.imports(agent).first)
    return try place.chats.turns(of: chat.id)
  }

  @Test func `a prompt that was queued when the agent was killed is there, without an answer`()
    throws
  {
    let turns = try imported([
      Self.prompt("First.", at: 0), Self.answer("m1", "One", at: 1, output: 1),
      Self.operation("enqueue", "Then test.", at: 2), Self.operation("enqueue", "/cost", at: 3),
      Self.operation("enqueue", "Then push.", at: 4), Self.operation("dequeue", at: 5),
    ])
    #expect(turns.map(\.text) == ["First.", "One", "Then test.", "Then push."])
    #expect(
      turns.map(\.labels) == [nil, nil, ["queue": "waiting"], ["queue": "waiting"]])
  }

  @Test func `a queued prompt is there once, wherever an import was in the middle`() throws {
    let lines = [
      Self.prompt("First.", at: 0), Self.operation("enqueue", "Then test.", at: 1),
      Self.operation("enqueue", "Then push.", at: 2), Self.operation("enqueue", "Wait.", at: 3),
      Self.answer("m1", "One", at: 4, output: 1), Self.operation("dequeue", at: 5),
      Self.prompt("Then test.", at: 6), Self.answer("m2", "Two", at: 7, output: 1),
      Self.operation("dequeue", at: 8), Self.answer("m3", "Three", at: 9, output: 1),
      Self.operation("popAll", at: 10), Self.prompt("Wait a bit.", at: 11),
    ]
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    let whole = try Place()
    try whole.write(["s1.jsonl": bytes], upTo: [:])
    let chat = try #require(try whole.imports().first)
    #expect(
      try whole.chats.turns(of: chat.id).map(\.text) == [
        "First.", "One", "Then test.", "Two", "Then push.", "Three", "Wait a bit.",
      ])
    let expected = try whole.content()
    for count in 1..<lines.count {
      let place = try Place()
      let end = lines.prefix(count).joined(separator: "\n").utf8.count + 1
      try place.write(["s1.jsonl": bytes], upTo: ["s1.jsonl": end])
      try place.imports()
      #expect(try place.imports(version: "2") == [])
      try place.write(["s1.jsonl": bytes], upTo: [:])
      try place.imports()
      #expect(try place.content() == expected, "\(count) lines")
    }
  }

  @Test func `answers that failed or were cut say why`() throws {
    let cut = Self.answer("m1", "I will", at: 1, output: 1)
      .replacing(#""usage""#, with: #""stop_reason":"max_tokens","usage""#)
    let error =
      #"{"type":"assistant",\#(Self.head(2, "s1", "")),"isApiErrorMessage":true,"error":"invalid_request","apiErrorStatus":400,"message":{"model":"<synthetic>","content":[{"type":"text","text":"Prompt is too long"}]}}"#
    let retry =
      #"{"type":"system","subtype":"api_error",\#(Self.head(1, "s1", "")),"error":{"status":529},"retryAttempt":1,"maxRetries":10}"#
    let turns = try imported([Self.prompt("First.", at: 0), cut, retry, error])
    #expect(turns.map(\.complete) == [nil, false, false])
    #expect(turns.map { $0.error?.code } == [nil, .invalidResponse, .badInput])
    #expect(turns.map { $0.error?.kind } == [nil, "cut", "invalidRequest"])
    #expect(turns.last?.error?.explanation == "Prompt is too long")
    #expect(turns.last?.error?.code.isRetryable == false && turns.last?.costUSD == 0)
  }

  @Test func `a failed turn of Codex is a message with the error`() throws {
    func line(_ type: String, _ payload: String, at second: Int) -> String {
      #"{"timestamp":"2026-03-01T10:00:0\#(second).000Z","type":"\#(type)","payload":\#(payload)}"#
    }
    let turns = try imported(
      [
        line("session_meta", #"{"id":"t","cwd":"/w"}"#, at: 0),
        line("event_msg", #"{"type":"user_message","message":"Go."}"#, at: 1),
        line(
          "event_msg",
          #"{"type":"task_complete","error":{"message":"unexpected status 401 Unauthorized","codex_error_info":{"http_connection_failed":{"http_status_code":401}}}}"#,
          at: 2),
      ], .codex)
    #expect(turns.map(\.role) == ["user", "assistant"])
    let error = try #require(turns.last?.error)
    #expect(error.code == .missingAPIKey && error.kind == "httpConnectionFailed")
    #expect(error.status == 401 && turns.last?.complete == false)
  }
}
