import Catalogue
import Core
import Extraction
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import Providers

struct ModelClientTests {
  private static let request = ModelRequest(
    system: "Be brief.", turns: [.init(role: "user", text: "Hello")], temperature: 0.5,
    maximumOutputTokens: 100,
    brief: Brief(role: .producer, goal: "Hello", task: "Hello"))
  /// An unknown model with a price of a dollar a million for each kind of token.
  private static var facts: ModelFacts {
    var settings = Settings.ModelSettings()
    (settings.inputPricePerMillion, settings.outputPricePerMillion) = (1, 1)
    (settings.cacheReadPricePerMillion, settings.cacheWritePricePerMillion) = (1, 1)
    return Catalogue.builtIn.facts("local", "model-a", settings: settings)
  }

  private func ask(
    _ server: ModelServer, key: String? = "key-of-the-tests", isChat: Bool = false,
    onText: @Sendable (String) throws(Failure) -> Void = { _ in }
  ) async -> ModelOutcome {
    let client = HTTPClient()
    let provider: any Provider =
      isChat
      ? ChatCompletionsProvider(
        OpenAIEndpoint(
          base: server.base + "/v1", key: key, timeouts: HTTPTimeouts(), client: client))
      : AnthropicProvider(base: server.base, key: key, timeouts: HTTPTimeouts(), client: client)
    let choice = ModelChoice(name: "model-a", provider: provider, facts: Self.facts)
    return await ModelClient().answer(Self.request, choice: choice) { (piece) throws(Failure) in
      if case .text(let text) = piece { try onText(text) }
    }
  }

  @Test(arguments: [false, true])
  func `an answer arrives in pieces and is accounted`(isChat: Bool) async throws {
    let server = try ModelServer(script: #"[{"text":"Hello, my world of tests","unknown":true}]"#)
    let pieces = Mutex("")
    let outcome = await ask(server, isChat: isChat) { text in pieces.withLock { $0 += text } }
    #expect(outcome.failure == nil)
    #expect(outcome.answer?.text == "Hello, my world of tests")
    #expect(pieces.withLock { $0 } == outcome.answer?.text)
    let usage = try #require(outcome.usage)
    #expect(outcome.costUSD == Double(usage.totalTokens) / 1_000_000)
    #expect(outcome.tries == 1)
    #expect(server.log.contains(#""max_tokens":100"#))
  }

  @Test(arguments: [false, true])
  func `a rate limit that asks for no wait is tried again`(isChat: Bool) async throws {
    let server = try ModelServer(
      script: #"[{"status":429,"times":2,"headers":{"retry-after":"0"}},{"text":"At last"}]"#)
    let outcome = await ask(server, isChat: isChat)
    #expect(outcome.answer?.text == "At last")
    #expect(outcome.tries == 3)
    #expect(outcome.costUSD != nil)
  }

  @Test func `an overload is tried three times`() async throws {
    let server = try ModelServer(
      script: #"[{"status":529,"times":0,"headers":{"retry-after":"0"}}]"#)
    let outcome = await ask(server)
    #expect(outcome.failure?.code == .overloaded)
    #expect(outcome.tries == 3)
    #expect(outcome.costUSD == 0)
  }

  @Test func `x-should-retry ends the tries`() async throws {
    let server = try ModelServer(
      script: #"[{"status":529,"times":0,"headers":{"x-should-retry":"false"}}]"#)
    #expect(await ask(server).tries == 1)
  }

  @Test(arguments: [(401, FailureCode.missingAPIKey), (402, .quotaExhausted), (404, .notFound)])
  func `what no second try heals is asked once`(status: Int, code: FailureCode) async throws {
    let server = try ModelServer(script: #"[{"status":\#(status),"times":0}]"#)
    for isChat in [false, true] {
      let outcome = await ask(server, isChat: isChat)
      #expect(outcome.failure?.code == code)
      #expect(outcome.failure?.status == status)
      #expect(outcome.tries == 1)
    }
  }

  @Test func `a quota is not a rate limit`() async throws {
    let server = try ModelServer(
      script:
        #"[{"status":429,"errorType":"insufficient_quota","errorCode":"insufficient_quota"}]"#)
    let outcome = await ask(server, isChat: true)
    #expect(outcome.failure?.code == .quotaExhausted)
    #expect(outcome.tries == 1)
  }

  @Test(arguments: [false, true])
  func `an error inside a stream is not tried again`(isChat: Bool) async throws {
    let server = try ModelServer(script: #"[{"midError":"overloaded_error","times":0}]"#)
    let outcome = await ask(server, isChat: isChat)
    #expect(outcome.failure?.code == .overloaded)
    #expect(outcome.tries == 1)
    // Its tokens are paid for, and nobody has counted them.
    #expect(outcome.usage == nil)
    #expect(outcome.costUSD == nil)
  }

  @Test func `each request is told before it is sent, with the account of the one before`()
    async throws
  {
    let server = try ModelServer(
      script: #"[{"status":529,"headers":{"retry-after":"0"}},{"text":"At last"}]"#)
    let provider = AnthropicProvider(
      base: server.base, key: "key-of-the-tests", timeouts: HTTPTimeouts(), client: HTTPClient())
    let told = Mutex<[(earlier: ModelTry?, requests: Int)]>([])
    let outcome = await ModelClient().answer(
      Self.request, choice: ModelChoice(name: "m", provider: provider, facts: Self.facts),
      willSend: { (earlier) throws(Failure) in
        let requests = server.log.components(separatedBy: #""type":"request""#).count - 1
        told.withLock { $0.append((earlier, requests)) }
        return nil
      }, onPiece: { _ in })
    let calls = told.withLock { $0 }
    #expect(calls.map(\.requests) == [0, 1])
    #expect(calls.map(\.earlier) == [nil, ModelTry(costUSD: 0)])
    #expect(outcome.lastTry == ModelTry(usage: outcome.usage, costUSD: outcome.costUSD))
  }

  @Test func `what refuses a request ends the tries, with the reason for it`() async throws {
    let server = try ModelServer(
      script: #"[{"status":529,"times":0,"headers":{"retry-after":"0"}}]"#)
    let provider = AnthropicProvider(
      base: server.base, key: "key-of-the-tests", timeouts: HTTPTimeouts(), client: HTTPClient())
    let outcome = await ModelClient().answer(
      Self.request, choice: ModelChoice(name: "m", provider: provider, facts: Self.facts),
      willSend: { (earlier) throws(Failure) in
        if earlier != nil { throw Failure(.budgetExceeded, "no more") }
        return nil
      }, onPiece: { _ in })
    #expect(outcome.failure?.code == .budgetExceeded)
    #expect(outcome.failure?.cause?.contains(server.base) == true)
    #expect(outcome.tries == 1)
    #expect(outcome.lastTry == nil)
  }

  @Test func `a key that comes back in an answer is in no piece of it`() async throws {
    let server = try ModelServer(
      script: #"[{"text":"The key is {key}, yes {key}","chunks":"bytewise","times":0}]"#,
      options: ["--echo-key"])
    let pieces = Mutex<[String]>([])
    let outcome = await ask(server, key: "sk-secret-of-the-tests") { text in
      pieces.withLock { $0.append(text) }
    }
    #expect(outcome.answer?.text == "The key is [redacted], yes [redacted]")
    #expect(pieces.withLock { $0.joined() } == outcome.answer?.text)
  }

  @Test(arguments: [
    #"{"cutAfter":"text"}"#, #"{"cleanCut":true}"#, #"{"cutAfter":9,"reset":true}"#,
  ])
  func `a cut answer is not tried again`(behaviour: String) async throws {
    let server = try ModelServer(script: "[\(behaviour),{}]")
    let outcome = await ask(server)
    #expect(outcome.failure?.code == .invalidResponse)
    #expect(outcome.failure?.kind == "cut")
    #expect(outcome.tries == 1)
  }

  @Test func `an answer that is no stream is named as what it is`() async throws {
    let server = try ModelServer(script: ##"[{"body":"<p>Log in","contentType":"text/html"}]"##)
    let failure = await ask(server).failure
    #expect(failure?.code == .invalidResponse)
    #expect(failure?.kind == "notAStream")
    #expect(failure?.explanation.contains("text/html") == true)
  }

  @Test func `a restart is told and its text starts over`() async throws {
    let server = try ModelServer(script: #"[{"text":"Twice told tale","duplicateStart":true}]"#)
    let text = Mutex("")
    let provider = AnthropicProvider(
      base: server.base, key: "key-of-the-tests", timeouts: HTTPTimeouts(), client: HTTPClient())
    let outcome = await ModelClient().answer(
      Self.request, choice: ModelChoice(name: "m", provider: provider, facts: Self.facts),
      onRestart: { text.withLock { $0 = "" } },
      onPiece: { piece in
        if case .text(let piece) = piece { text.withLock { $0 += piece } }
      })
    #expect(outcome.answer?.text == "Twice told tale")
    #expect(text.withLock { $0 } == "Twice told tale")
    // The counts are those of the second time alone.
    #expect(outcome.usage == nil)
    #expect(outcome.costUSD == nil)
  }

  @Test func `an empty answer is a failure that keeps its usage`() async throws {
    let server = try ModelServer(script: #"[{"text":"","stopReason":"max_tokens"}]"#)
    let outcome = await ask(server)
    #expect(outcome.failure?.kind == "empty")
    #expect(outcome.usage != nil)
  }

  @Test func `a key that a server gives back is not told`() async throws {
    let server = try ModelServer(
      script: #"[{"status":401},{"midError":"api_error"}]"#, options: ["--echo-key"])
    for _ in 0..<2 {
      let failure = try #require(await ask(server, key: "secret-key-of-the-tests").failure)
      #expect(!"\(failure)".contains("secret-key"))
      #expect("\(failure)".contains("[redacted]"))
    }
  }

  @Test func `a reader that fails ends the request with its own failure`() async throws {
    let server = try ModelServer(script: #"[{"text":"some words to read"}]"#)
    let outcome = await ask(server) { _ throws(Failure) in
      throw Failure(.storageFailed, "the disk is full")
    }
    #expect(outcome.failure?.code == .storageFailed)
    #expect(outcome.tries == 1)
  }

  /// The events of an answer up to its reason to stop, after which a server may report its counts again.
  private static let untilStop = """
    data: {"type":"message_start","message":{"model":"m","usage":{"input_tokens":9,"output_tokens":1}}}

    data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Early"}}

    data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}


    """

  @Test(arguments: [#""stall":true"#, #""cutAfter":\#(untilStop.utf8.count)"#])
  func `counts that may not be the last are no usage`(ending: String) async throws {
    // The server sends half of the body, and then the rest or nothing.
    let body = Self.untilStop + String(repeating: "\n", count: Self.untilStop.utf8.count)
    let stalls = ending.contains("stall")
    let script = try JSONSerialization.data(
      withJSONObject: [["body": body, "contentType": "text/event-stream"]])
    let server = try ModelServer(
      script: String(decoding: script, as: UTF8.self)
        .replacing("}]", with: ",\(ending)}]"))
    let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
    let task = Task { await ask(server) { _ in arrival.yield() } }
    if stalls {
      for await _ in arrived { break }
      task.cancel()
    }
    let outcome = await task.value
    #expect(outcome.failure?.code == (stalls ? .interrupted : nil))
    #expect(outcome.answer?.text == (stalls ? nil : "Early"))
    #expect(outcome.usage == nil)
    #expect(outcome.costUSD == nil)
  }

  @Test func `cancelling ends an answer that stalls`() async throws {
    let server = try ModelServer(script: #"[{"text":"some words to read","stall":true}]"#)
    let (started, hasStarted) = AsyncStream<Void>.makeStream()
    let task = Task { await ask(server) { _ in hasStarted.yield() } }
    for await _ in started { break }
    task.cancel()
    #expect(await task.value.failure?.code == .interrupted)
  }

  @Test func `cancelling ends the wait for the next try`() async throws {
    let server = try ModelServer(
      script: #"[{"status":429,"times":0,"headers":{"retry-after":"500"}}]"#)
    let task = Task { await ask(server) }
    while !server.log.contains(#""status":429"#) { await Task.yield() }
    task.cancel()
    let outcome = await task.value
    #expect(outcome.failure?.code == .interrupted)
    #expect(outcome.tries == 1)
  }
}
