import CodingAgents
import Core
import Foundation

/// The chats that are made of the entries of sessions, which are added in order.
struct SessionChats {
  /// The largest size of a prompt's files, in bytes.
  private static let largestFiles = 11 << 20

  private(set) var conversations: [SessionKey: SessionConversation] = [:]
  private(set) var order: [SessionKey] = []
  /// The entries that were not understood, by kind, with their number.
  private(set) var unknown: [String: Int] = [:]
  /// The number of lines that could not be read.
  private(set) var unreadable = 0
  /// The number of lines that were understood.
  private(set) var understood = 0

  /// Adds the given entries.
  mutating func add(_ entries: [SessionEntry]) {
    for entry in entries { add(entry) }
  }

  private mutating func add(_ entry: SessionEntry) {
    switch entry.content {
    case .unknown(let kind): return unknown[kind, default: 0] += 1
    case .unreadable: return unreadable += 1
    default: understood += 1
    }
    var conversation = conversations[entry.session] ?? SessionConversation(entry.session)
    if conversations[entry.session] == nil { order.append(entry.session) }
    // A copy of the value would be made for each change while the dictionary holds another.
    conversations[entry.session] = nil
    if !entry.isCopy { conversation.isOwn = true }
    Self.add(entry, to: &conversation)
    conversations[entry.session] = conversation
  }

  private static func add(_ entry: SessionEntry, to chat: inout SessionConversation) {
    let (name, at) = (entry.session.name, entry.at)
    switch entry.content {
    case .facts(let facts): chat.facts.update(facts)
    case .prompt(let prompt): add(prompt, to: &chat, at)
    case .answer(let answer):
      chat.change(answer.id, .answer, role: "assistant", at: at) { $0.add(answer) }
      chat.contain(answer.toolCalls, answer.id)
    case .call(let call):
      chat.change(call.answer, .answer, role: "assistant", at: at) { turn in
        turn.message.add(call, by: entry.session.agent, at: at ?? .now)
      }
    case .result(let result): add(result, to: &chat, at)
    case .compaction(let compaction):
      if let summary = compaction.summary, compaction.trigger == nil, chat.complete(summary) {
        return
      }
      let id = "compaction \(name) \(at?.iso8601 ?? "")"
      chat.change(id, .compaction, role: "system", at: at) { $0.message.add(compaction) }
    case .failure(let failure):
      let id = "failure \(name) \(at?.iso8601 ?? failure.explanation)"
      chat.change(id, .failure, role: "assistant", at: at) { turn in
        // It is no call of a model and costs nothing.
        turn.message.costUSD = 0
        turn.message.fail(failure)
      }
    case .turn(.interrupted): chat.interrupt()
    case .rewind(let rewind): chat.rewind(rewind)
    case .turn, .total, .retry, .output, .unknown, .unreadable: break
    }
  }

  private static func add(
    _ prompt: SessionPrompt, to chat: inout SessionConversation, _ at: Timestamp?
  ) {
    let digest = SHA256Digest.base64(Array(prompt.text.utf8))
    let name = prompt.id ?? "prompt \(chat.key.name) \(at?.iso8601 ?? "") \(digest)"
    chat.change(name, .prompt, role: "user", at: at) { turn in
      turn.message.text = prompt.text
      let files = files(prompt.files)
      turn.message.attachments = files.isEmpty ? nil : files
      turn.message.labels = prompt.isWaiting ? [SessionConversation.Label.queue: "waiting"] : nil
    }
  }

  private static func files(_ files: [SessionFile]) -> [AttachedFile] {
    var left = largestFiles
    return files.enumerated().compactMap { index, file in
      guard file.data.utf8.count / 4 * 3 <= left, let content = Data(base64Encoded: file.data)
      else { return nil }
      left -= content.count
      let type = Visible.line(String(file.contentType.prefix(100)))
      let suffix = type.split(separator: "/").last.map(String.init) ?? ""
      let isPlain = !suffix.isEmpty && suffix.utf8.count < 12 && suffix.utf8.allSatisfy(\.isLetter)
      var attached = AttachedFile(
        name: "file-\(index + 1)" + (isPlain ? ".\(suffix)" : ""),
        contentType: type.isEmpty ? "application/octet-stream" : type, content: Array(content))
      attached.data = content.base64EncodedString()
      return attached
    }
  }

  private static func add(
    _ result: SessionResult, to chat: inout SessionConversation, _ at: Timestamp?
  ) {
    let answer = chat.answer(calling: result.call)
    let call = answer?.message.toolCalls?.first { $0.id == result.call }
    var record = ToolResult(
      id: result.call, name: call?.name ?? "tool",
      content: [.object(["type": .string("text"), "text": .string(result.text)])],
      isError: result.isError)
    let took = answer?.message.createdAt.flatMap { began in at?.seconds(since: began) } ?? 0
    // A result without a duration counts as missing.
    record.durationMs = max(0, took * 1000)
    let name = "results \(chat.key.name) \(answer?.name ?? result.call)"
    let order = answer?.message.toolCalls?.map(\.id) ?? []
    chat.change(name, .results, role: "tool", at: at) { turn in
      var results = (turn.message.toolResults ?? []).filter { $0.id != record.id }
      results.append(record)
      turn.message.toolResults = results.sorted {
        order.firstIndex(of: $0.id) ?? .max < order.firstIndex(of: $1.id) ?? .max
      }
    }
  }

  // MARK: Result

  /// The numbers of entries alone, without the chats.
  var counts: SessionChats {
    var counts = SessionChats()
    (counts.unknown, counts.unreadable, counts.understood) = (unknown, unreadable, understood)
    return counts
  }

  /// The chats of all sessions that have a message.
  var material: SessionMaterial {
    SessionMaterial(chats: order.compactMap { conversations[$0]?.chat })
  }
}

extension SessionConversation.Turn {
  /// The size of a text to which nothing more is added, in bytes.
  private static let largestText = 4 << 20

  /// Adds the given part of an answer.
  fileprivate mutating func add(_ part: SessionAnswer) {
    let calls = part.toolCalls.map { call in
      ToolCall(id: call.id, name: call.name, arguments: call.arguments ?? .object([:]))
    }
    if part.isWhole {
      message.text = part.text
      message.reasoning = part.reasoning.isEmpty ? nil : part.reasoning
      message.toolCalls = calls.isEmpty ? nil : calls
    } else {
      var text = message.text
      add(part.text, to: &text)
      message.text = text
      var reasoning = message.reasoning ?? ""
      add(part.reasoning, to: &reasoning, isReasoning: true)
      message.reasoning = reasoning.isEmpty ? nil : reasoning
      let known = Set((message.toolCalls ?? []).map(\.id))
      let new = calls.filter { !known.contains($0.id) }
      if !new.isEmpty { message.toolCalls = (message.toolCalls ?? []) + new }
    }
    message.model = part.model ?? message.model
    message.stopReason = part.stopReason ?? message.stopReason
    if message.complete == nil { message.complete = true }
    if let failure = part.failure { message.fail(failure) }
  }

  /// Appends a piece of text, unless a copied line repeats it.
  private mutating func add(
    _ piece: String, to text: inout String, isReasoning: Bool = false
  ) {
    guard !piece.isEmpty, text.utf8.count < Self.largestText else { return }
    var hasher = Hasher()
    hasher.combine(isReasoning)
    hasher.combine(piece)
    guard pieces.insert(hasher.finalize()).inserted else { return }
    text += (text.isEmpty ? "" : "\n\n") + piece
  }
}

extension Message {
  /// Adds the given report of the answer's call.
  fileprivate mutating func add(_ call: SessionCall, by agent: CodingAgent, at: Timestamp) {
    model = call.model ?? model
    usage = Usage.highest(usage, call.usage)
    // The catalogue's price of the tokens alone would be wrong.
    let cost = call.isUsual ? call.costUSD : call.price(by: agent, at: at)
    costUSD = [costUSD, cost].compactMap(\.self).max()
    if !call.isUsual, cost == nil {
      labels = (labels ?? [:]).merging([SessionConversation.Label.price: "unknown"]) { $1 }
    }
    if complete == nil { complete = true }
  }

  /// Adds the given compaction.
  fileprivate mutating func add(_ compaction: SessionCompaction) {
    text = compaction.summary ?? text
    var labels = labels ?? [:]
    labels["compaction"] = compaction.trigger ?? labels["compaction"] ?? "unknown"
    labels["tokensBefore"] = compaction.tokens.map(String.init) ?? labels["tokensBefore"]
    self.labels = labels
  }
}
