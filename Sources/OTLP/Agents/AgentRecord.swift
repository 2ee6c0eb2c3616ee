internal import CodingAgents
internal import Catalogue
internal import Core
internal import Events

/// A log record of a coding agent.
struct AgentRecord {
  let table: TelemetryNames
  /// The swarm that the resource names.
  let swarmId: String?
  let session: String?
  /// `true` to store all attributes.
  let keepsContent: Bool
  private let record: WireLogRecord
  private let attributes: [String: JSONValue]
  private let ts: Int64

  /// An event of the record, and the identity of the model call that it reports, if any.
  struct Item {
    var event: any Event
    var callId: String?
  }

  /// Reads the given record.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - table: The agent's names.
  ///   - place: The swarm and the session that the resource names.
  ///   - keepsContent: `true` to store all attributes.
  ///   - now: The time of a record without a time.
  init(
    _ record: WireLogRecord, _ table: TelemetryNames,
    of place: (swarmId: String?, session: String?),
    keepingContent keepsContent: Bool, now: Timestamp
  ) {
    self.record = record
    (self.table, self.keepsContent) = (table, keepsContent)
    swarmId = place.swarmId
    attributes = record.attributes.members
    session = attributes[table.session]?.identifier ?? place.session
    ts = WireInstant.first(of: record.timeUnixNano, record.observedTimeUnixNano) ?? now.milliseconds
  }

  /// The name of the event, without the agent's prefix.
  private var name: String {
    let full =
      attributes["event.name"]?.string
      ?? (record.eventName.isEmpty ? record.body?.json.string : record.eventName) ?? ""
    return full.hasPrefix(table.prefix) ? String(full.dropFirst(table.prefix.count)) : full
  }

  /// Returns the events of the record.
  ///
  /// - Throws: `BadInput` if the session's id is too long.
  func events() throws(Failure) -> [Item] {
    let agent = try table.agentId(ofSession: session)
    let name = name
    let kind = table.kind.flatMap { attributes[$0]?.string }.map { "\(name)/\($0)" }
    switch kind.flatMap({ table.meanings[$0] }) ?? table.meanings[name] {
    case .call:
      let isRepetition = table.repeatsCalls && !table.tokens.names.contains(where: has)
      return isRepetition ? [] : [call(by: agent)]
    case .failure: return failure(of: agent).map { [Item(event: $0)] } ?? []
    case .tool: return tool(of: agent)
    case .decision: return [Item(event: decision(of: agent))]
    case .prompt: return [Item(event: prompt(of: agent))]
    case .nothing: return []
    case nil:
      let level = Severity.level(record.severityNumber) ?? .info
      return [Item(event: log(level, table.prefix + name, of: agent))]
    }
  }

  // MARK: Events

  private func call(by agent: String?) -> Item {
    let usage = usage
    var members = usage.map { EventAttributes($0) } ?? [:]
    members[.operation] = .string(EventOperation.chat.rawValue)
    members[.provider] = .string(table.provider)
    members[.responseModel] = model.map(JSONValue.string)
    members[.usageSource] = .string(UsageSource.logs.rawValue)
    members[.tool] = .string(Self.tool)
    members[.costUSD] = cost(of: usage).map(JSONValue.double)
    members[.reasoningTokens] = usage?.reasoningTokens.map(JSONValue.int)
    let callId = table.callId.flatMap { attributes[$0]?.identifier }
    let event = span(.chat, members, of: agent, id: callId)
    return Item(event: event, callId: callId.map { "\(session ?? ""):\($0)" })
  }

  /// Returns the log of a failed call; nil if the record reports no failure.
  private func failure(of agent: String?) -> Log? {
    let status = count(table.failureStatus).map { Int($0) }
    let reason = table.failureReasons.lazy.compactMap { attributes[$0]?.string }
      .first { !$0.isEmpty }
    // Codex reports each request in this way, also those that succeeded.
    guard reason != nil || status.map({ $0 >= 400 }) ?? name.contains("error") else { return nil }
    let words = [status.map { "status \($0)" }, reason.map(TelemetryNames.masked)]
      .compactMap(\.self)
    let message = (["a call of the model failed"] + words).joined(separator: ": ")
    return log(.error, message, of: agent)
  }

  private func tool(of agent: String?) -> [Item] {
    var items: [Item] = []
    if let word = attributes["decision"]?.string {
      items.append(Item(event: decision(of: agent)))
      guard !TelemetryNames.isRefusal(word) else { return items }
    }
    let callId = table.toolCallId.flatMap { attributes[$0]?.identifier }
    var members: EventAttributes = [
      .operation: .string(EventOperation.executeTool.rawValue), .toolName: .string(toolName),
    ]
    members[.toolCallId] = callId.map(JSONValue.string)
    if attributes["success"]?.isTrue == false { members[.errorType] = .string("_OTHER") }
    items.append(Item(event: span(.executeTool, members, of: agent, id: callId)))
    return items
  }

  private func decision(of agent: String?) -> Log {
    let word = attributes["decision"]?.string ?? ""
    let isRefused = TelemetryNames.isRefusal(word)
    let source = attributes["source"]?.string.map { " (\(TelemetryNames.masked($0)))" } ?? ""
    var log = log(
      isRefused ? .warn : .info,
      "\(isRefused ? "refused" : "allowed"): the tool '\(toolName)'\(source)", of: agent)
    log.skillId = toolName
    var labels = log.labels ?? [:]
    labels["decision"] = TelemetryNames.masked(word)
    labels[EventAttribute.toolName.rawValue] = toolName
    labels[EventAttribute.toolCallId.rawValue] =
      table.toolCallId.flatMap { attributes[$0]?.identifier }
    log.head.labels = labels
    return log
  }

  private func prompt(of agent: String?) -> Log {
    let length = count("prompt_length").map { " of \(Int($0)) characters" } ?? ""
    return log(.info, "a prompt\(length)", of: agent)
  }

  // MARK: Parts

  /// The tool that observes the calls.
  private static let tool = "hub-serve"

  private var model: String? { attributes["model"]?.identifier }

  private var toolName: String { attributes[table.toolName]?.identifier ?? "unknown" }

  /// The tokens; nil if a count is missing or impossible.
  private var usage: Usage? {
    let tokens = table.tokens
    func count(_ name: String?) -> TokenCount {
      guard let name, let value = attributes[name], value != .null else { return .absent }
      return TokenCount(value.count.flatMap { Int(exactly: $0) })
    }
    let tool = count(tokens.tool)
    guard tool != .impossible,
      var usage = Usage(
        input: count(tokens.input), output: count(tokens.output), read: count(tokens.cacheRead),
        written: count(tokens.cacheWrite), hour: count(tokens.cacheWrite1h),
        reasoning: count(tokens.reasoning), isInputUncached: tokens.isInputUncached,
        isOutputAnswer: tokens.isOutputAnswer)
    else { return nil }
    usage.inputTokens += tool.value ?? 0
    return usage
  }

  /// Returns the cost that the record states, else that of the catalogue; nil if it is unknown.
  private func cost(of usage: Usage?) -> Double? {
    let stated = table.costUSD.flatMap(count).flatMap { $0 <= Self.largestCost ? $0 : nil }
    guard let usage, let model, stated == nil else { return stated }
    let day = Day(Timestamp(milliseconds: ts))
    let terms = ServiceTerms(speed: attributes["speed"]?.string)
    return Catalogue.builtIn.facts(table.agent.provider ?? "", model, on: day).prices?
      .cost(of: usage, on: day, terms: terms)
  }

  /// The largest plausible cost of one call in US dollars.
  private static let largestCost = 10_000.0

  private func has(_ name: String) -> Bool { attributes[name] != nil }

  private func count(_ name: String) -> Double? { attributes[name]?.count }

  private func span(
    _ operation: EventOperation, _ members: EventAttributes, of agent: String?, id: String?
  ) -> TraceEvent {
    var attrs = members.named
    attrs[EventAttribute.durationMilliseconds.rawValue] = count("duration_ms").map {
      Int(exactly: $0).map(JSONValue.int) ?? .double($0)
    }
    for (name, value) in rest where attrs[name] == nil { attrs[name] = value }
    // Without a session, the record makes no agent.
    let identity = "\(agent ?? table.agent.rawValue) \(id ?? identity)"
    var event = TraceEvent(
      ts: ts, agentId: agent ?? "",
      spanId: String(SHA256Digest.hexadecimal(Array(identity.utf8)).prefix(16)),
      name: operation.rawValue, attrs: attrs)
    (event.head.agentId, event.head.swarmId) = (agent, swarmId)
    event.sessionId = session
    event.phase = .end
    event.traceId = record.traceID.text(ofBytes: 16)
    event.parentSpanId = record.spanID.text(ofBytes: 8)
    return event
  }

  private func log(_ level: Log.Level, _ message: String, of agent: String?) -> Log {
    var log = Log(ts: ts, agentId: agent ?? "", level: level, message: message)
    (log.head.agentId, log.head.swarmId) = (agent, swarmId)
    log.sessionId = session
    let labels = rest.compactMapValues(\.words)
    log.head.labels = labels.isEmpty ? nil : labels
    return log
  }

  /// The attributes that are stored under their own names.
  private var rest: [String: JSONValue] {
    let read: Set = [
      "event.name", "event.timestamp", "model", "duration_ms", "success", "decision", table.session,
      table.toolName,
    ]
    var others = read.union(table.tokens.names)
      .union([table.callId, table.costUSD, table.toolCallId, table.kind].compactMap(\.self))
    if keepsContent { others.remove("event.timestamp") }
    return table.stored(
      attributes.filter { !others.contains($0.key) }, keepingContent: keepsContent)
  }

  /// A text that only equal records have.
  var identity: String {
    SHA256Digest.base64(WireBody.bytes(of: record, .protobuf) + Array((session ?? "").utf8))
  }
}

extension JSONValue {
  /// The longest identifier or name in bytes.
  private static let longestIdentifier = 200

  /// The value as a nonnegative number, which agents also write as a string; nil for other values.
  var count: Double? {
    let number = string.flatMap { Double($0) } ?? number
    guard let number, (0...1e15).contains(number) else { return nil }
    return number
  }

  /// The value as a truth, which agents also write as a string; nil for other values.
  var isTrue: Bool? {
    switch self {
    case .bool(let isSo): isSo
    case .string(let word): Bool(word.lowercased())
    case .null, .int, .double, .array, .object: nil
    }
  }

  /// The value as an identifier; nil if it is empty, too long, or no string or number.
  var identifier: String? {
    switch self {
    case .string(let text): (1...Self.longestIdentifier).contains(text.utf8.count) ? text : nil
    case .int(let number): String(number)
    case .null, .bool, .double, .array, .object: nil
    }
  }
}
