import Asking
import Catalogue
import Core
import Providers
import Synchronization
import TestSupport

@testable import Chats

/// A model that answers as it is told, one request after the other.
final class ScriptedModel: Provider {
  private let answers: Mutex<[ModelAnswer]>
  private let received = Mutex<[ModelRequest]>([])

  init(_ answers: [ModelAnswer]) { self.answers = Mutex(answers) }

  /// The requests so far.
  var requests: [ModelRequest] { received.withLock(\.self) }

  /// The model at a dollar for a million tokens.
  var choice: ModelChoice {
    var settings = Settings.ModelSettings()
    (settings.inputPricePerMillion, settings.outputPricePerMillion) = (1, 1)
    return ModelChoice(
      name: "m", provider: self,
      facts: Catalogue.builtIn.facts("anthropic", "m", settings: settings))
  }

  func send(
    _ request: ModelRequest, model: String, receive: @Sendable (ModelEvent) throws(Failure) -> Void
  ) async throws(Failure) {
    received.withLock { $0.append(request) }
    let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let answer else { throw Failure(.badInput, "no answer is left") }
    try receive(.answer(answer))
  }
}

extension ModelAnswer {
  /// An answer of text and calls.
  static func scripted(_ text: String = "", _ calls: ToolRequest...) -> ModelAnswer {
    var answer = ModelAnswer()
    answer.blocks = (text.isEmpty ? [] : [.text(text)]) + calls.map { .toolCall($0) }
    answer.usage = Usage(inputTokens: 10, outputTokens: 5)
    return answer
  }
}

extension ModelAnswer.ToolRequest {
  static func scripted(_ id: String, _ name: String, _ arguments: String = "{}") -> Self {
    Self(id: id, name: name, arguments: arguments)
  }
}

/// Tools that answer as they are told, in no process.
struct ScriptedBench: ToolBench {
  /// The tools, by the names under which they are offered.
  var tools: [String: ToolCall] = [:]
  /// `true` to take any name for that of a tool.
  var takesAll = false
  /// Answers a call after it has begun.
  var answer: @Sendable (ToolCall) async -> ToolResult = { call in
    .scripted("\(call.source ?? "")/\(call.name)")
  }

  init(_ names: [String] = [], source: String = "mcp:test") {
    for name in names {
      var call = ToolCall(id: "", name: name, arguments: .null)
      call.source = source
      tools[ToolOffer.name(of: name, from: source)] = call
    }
  }

  func routerSession(after id: String?) -> String? { nil }

  var offers: [ToolOffer] {
    tools.keys.sorted().map {
      ToolOffer(name: $0, description: "", inputSchema: #"{"type":"object"}"#)
    }
  }

  func named(_ call: ToolCall) -> ToolCall {
    if takesAll { return call.with { $0.source = "tavily" } }
    guard let tool = tools[call.name] else { return call }
    return call.with { ($0.name, $0.source) = (tool.name, tool.source) }
  }

  func call(
    _ call: ToolCall, in chatId: String?,
    begin: @escaping @Sendable (_ consent: String) async throws(Failure) -> Void
  ) async -> ToolResult {
    do throws(Failure) {
      try await begin("option")
    } catch {
      var result = ToolResult(id: "", name: "", isError: true)
      result.error = error
      return result
    }
    var result = await answer(call)
    result.consent = "option"
    return result
  }
}

extension ToolResult {
  static func scripted(_ text: String, isError: Bool = false) -> ToolResult {
    ToolResult(id: "", name: "", content: [ToolPart.text(text)], isError: isError)
  }
}

/// A chat in which a scripted model calls scripted tools.
struct ScriptedChat {
  let home: Home
  let chats: ChatStore
  let model: ScriptedModel
  var options = ChatOptions()
  var isStored = true
  let events = EventLog()

  init(_ answers: ModelAnswer..., bench: ScriptedBench) throws {
    home = try Home()
    chats = try home.chats()
    model = ScriptedModel(answers)
    options.tools = ChatTools(bench)
  }

  /// Sends a prompt; an empty one continues the chat.
  func send(_ prompt: String, in chat: Chat? = nil) async throws -> Message {
    let access = ModelAccess(
      Settings(), home.directories, keys: home.keyStore, environment: [:],
      timeouts: (nil, nil, nil), retries: 0)
    let sender = try ChatSender(access, chats: chats, options: options, isStored: isStored)
    let sending = try sender.prepare(
      ChatPrompt(text: prompt), in: ChatPlace(chat: chat), for: model.choice)
    let ended = try await sending.send { [events] (event) throws(Failure) in events.append(event) }
    return ended[0]
  }

  /// The turns of the one chat.
  func turns() throws -> [Message] { try chats.turns(of: try chats.lastChat()?.id ?? "") }
}

/// The events of a chat, in the order of their arrival.
final class EventLog: Sendable {
  private let events = Mutex<[ChatEvent]>([])

  func append(_ event: ChatEvent) { events.withLock { $0.append(event) } }

  /// The events as words, without the pieces of answers.
  var words: [String] {
    events.withLock(\.self).compactMap { event in
      switch event {
      case .delta, .restart, .fallback: nil
      case .toolCall(let call): "call \(call.id)"
      case .toolResult(let result): "result \(result.id)"
      case .ended(let message): message.role
      }
    }
  }

  /// The final turns.
  var ended: [Message] {
    events.withLock(\.self).compactMap { if case .ended(let message) = $0 { message } else { nil } }
  }
}

extension ModelRequest {
  /// The results of the last turn.
  var results: [ToolOutput] {
    (turns.last?.parts ?? []).compactMap {
      if case .toolResult(let output) = $0 { output } else { nil }
    }
  }
}
