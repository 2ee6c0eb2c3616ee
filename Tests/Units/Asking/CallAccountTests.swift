import Catalogue
import Core
import GRDB
import Providers
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Asking

/// A model that answers as it is told, one request after the other.
private final class ScriptedProvider: Provider {
  private let answers: Mutex<[Result<String, Failure>]>
  /// Is called when a request has arrived.
  private let arrived: @Sendable () throws -> Void

  init(_ answers: [Result<String, Failure>], arrived: @escaping @Sendable () throws -> Void = {}) {
    self.answers = Mutex(answers)
    self.arrived = arrived
  }

  func send(
    _ request: ModelRequest, model: String, receive: @Sendable (ModelEvent) throws(Failure) -> Void
  ) async throws(Failure) {
    do { try arrived() } catch { throw Failure(.badUsage, "\(error)") }
    let text = try answers.withLock { $0.removeFirst() }.get()
    var answer = ModelAnswer()
    answer.blocks = [.text(text)]
    answer.usage = Usage(inputTokens: 1_000_000, outputTokens: 1_000_000)
    try receive(.answer(answer))
  }
}

/// The calls for the answer, the oldest first.
private func calls(_ store: Store) throws -> [Call] {
  try store.file.read { try $0.calls("answerId = 'answer' ORDER BY startedAt, id", []) }
}

struct CallAccountTests {
  private let home: Home
  private let store: Store
  private let owner: Call.Owner
  private let request = ModelRequest(system: "", turns: [.init(role: "user", text: "Hello")])

  init() throws {
    home = try Home()
    store = try Store(home.directories)
    owner = Call.Owner(tool: Call.Owner.chats, answerId: "answer")
  }

  /// A model of one dollar a million tokens.
  private func choice(_ name: String, _ provider: ScriptedProvider) -> ModelChoice {
    var settings = Settings.ModelSettings()
    (settings.inputPricePerMillion, settings.outputPricePerMillion) = (1, 1)
    return ModelChoice(
      name: name, provider: provider,
      facts: Catalogue.builtIn.facts("local", name, settings: settings))
  }

  @Test func `each request is in flight in the store before it leaves, to whichever model`()
    async throws
  {
    let store = store
    let provider = ScriptedProvider([.success("one"), .success("two")]) {
      let last = try calls(store).last
      #expect(last?.outcome == .running)
    }
    let account = CallAccount(of: owner, in: store)
    var message = Message(role: "assistant", text: "").with { $0.costUSD = 0 }
    for name in ["a", "b"] {
      let choice = choice(name, provider)
      message.apply(await ModelClient().answer(request, choice: choice, on: account), of: choice)
    }
    #expect(message.text == "two" && message.model == "b" && message.complete == true)
    #expect(message.costUSD == 4 && message.usage?.inputTokens == 2_000_000)
    // The last one is for whoever keeps the answer.
    #expect(try calls(store).map(\.outcome) == [.complete, .running])
    let last = try #require(await account.uncommitted)
    try store.save([last])
    #expect(try calls(store).map(\.model) == ["a", "b"])
    #expect(try calls(store).map(\.costUSD) == [2, 2])
  }

  @Test func `a call that was kept with the question is the first request`() async throws {
    let choice = choice("a", ScriptedProvider([.success("one")]))
    let opened = Call(for: owner, Estimate(request, choice), output: 10)
    try store.save([opened])
    let account = CallAccount(of: owner, in: store, opened: opened)
    _ = await ModelClient().answer(request, choice: choice, on: account)
    #expect(await account.uncommitted?.id == opened.id)
    #expect(try calls(store).count == 1)
  }

  @Test func `a request that is held back costs nothing`() async throws {
    let choice = choice("a", ScriptedProvider([]))
    let account = CallAccount(of: owner, in: store)
    let outcome = await ModelClient().answer(
      request, choice: choice, on: account,
      onSend: { () throws(Failure) in throw Failure(.storageFailed, "no reader") })
    #expect(outcome.tries == 0 && outcome.failure?.code == .storageFailed)
    #expect(await account.uncommitted == nil)
    #expect(try calls(store).map(\.costUSD) == [0])
    #expect(try calls(store).map(\.outcome) == [.failed])
  }

  @Test func `a cost that is not known stays unknown`() async throws {
    let cut = Failure(.invalidResponse, "cut")
    let choice = choice("a", ScriptedProvider([.failure(cut), .success("two")]))
    let account = CallAccount(of: owner, in: store)
    var message = Message(role: "assistant", text: "").with { $0.costUSD = 0 }
    message.apply(await ModelClient().answer(request, choice: choice, on: account), of: choice)
    #expect(message.error == cut && message.complete == false && message.costUSD == nil)
    message.apply(await ModelClient().answer(request, choice: choice, on: account), of: choice)
    #expect(message.error == nil && message.complete == true && message.costUSD == nil)
    #expect(try calls(store).map(\.usage) == [nil, nil])
    #expect(try calls(store).map(\.outcome) == [.failed, .running])
  }
}
