import Core
import TestSupport

/// Events of every kind with members of every form, the same for the same seed.
struct RandomEvents {
  private var random: SeededRandom
  private var count = 0

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// One of each kind, with every member.
  static var examples: [any Event] {
    var random = RandomEvents(seed: 1)
    return (0..<8).map { random.event(kind: $0, fullness: 1) }
  }

  mutating func next() -> any Event {
    let kind = Int.random(in: 0..<8, using: &random)
    return event(kind: kind, fullness: Int.random(in: 1...3, using: &random))
  }

  private mutating func event(kind: Int, fullness: Int) -> any Event {
    count += 1
    var event: any Event
    switch kind {
    case 0: event = trace(.start, fullness)
    case 1: event = trace(.progress, fullness)
    case 2: event = trace(.end, fullness)
    case 3: event = trace(nil, fullness)
    case 4:
      var log = Log(
        ts: instant(), agentId: "", level: random.one(of: Log.Level.allCases, else: .info),
        message: text())
      log.count = maybe(fullness) { $0.number() }
      log.sessionId = maybe(fullness) { $0.text() }
      log.skillId = maybe(fullness) { $0.text() }
      log.incidentId = maybe(fullness) { $0.text() }
      event = log
    case 5:
      var metric = Metric(
        ts: instant(), scope: random.one(of: Metric.Scope.allCases, else: .agent), name: text(),
        value: double())
      metric.sessionId = maybe(fullness) { $0.text() }
      metric.skillId = maybe(fullness) { $0.text() }
      metric.incidentId = maybe(fullness) { $0.text() }
      event = metric
    case 6:
      var gate = ApprovalGate(
        ts: instant(), gateId: text(), status: random.one(of: GateStatus.allCases, else: .pending),
        summary: text(), requestedAt: Timestamp(milliseconds: instant()))
      gate.context = maybe(fullness) { GateContext(why: $0.text(), risk: $0.text()) }
      gate.expiresAt = maybe(fullness) { Timestamp(milliseconds: $0.instant()) }
      gate.stageId = maybe(fullness) { $0.text() }
      gate.revision = number()
      event = gate
    default:
      if random.chance(2) {
        var alert = Alert(
          ts: instant(), kind: random.one(of: Alert.Kind.allCases, else: .incident),
          severity: .error, summary: text())
        alert.value = maybe(fullness) { $0.double() }
        alert.webUrl = maybe(fullness) { "https://example.org/\($0.text())" }
        event = alert
      } else {
        event = Control(
          ts: instant(), requestId: text(), target: .swarm, action: .terminate, reason: text(),
          actor: text(), outcome: .accepted)
      }
    }
    event.head.id = "7c1f-\(count)"
    event.head.srcId = maybe(fullness) { $0.text() }
    event.head.swarmId = maybe(fullness) { $0.text() }
    event.head.host = maybe(fullness) { "box-\($0.random.next() % 3).example" }
    event.head.labels = maybe(fullness) { [$0.text(): $0.text(), "team": "tools"] }
    let isOfAgent = event is TraceEvent || event is Log
    event.head.agentId = isOfAgent ? text() : maybe(fullness) { $0.text() }
    return event
  }

  private mutating func trace(_ phase: TraceEvent.Phase?, _ fullness: Int) -> TraceEvent {
    let names = ["chat", "execute_tool", "invoke_agent", "invoke_workflow", "plan", text()]
    var event = TraceEvent(
      ts: instant(), agentId: "", spanId: id(digits: 16), name: random.one(of: names, else: ""))
    event.phase = phase
    event.traceId = maybe(fullness) { $0.id(digits: 32) }
    event.parentSpanId = maybe(fullness) { $0.id(digits: 16) }
    event.sessionId = maybe(fullness) { $0.text() }
    event.skillId = maybe(fullness) { $0.text() }
    event.incidentId = maybe(fullness) { $0.text() }
    let attributes = [
      "gen_ai.operation.name", "gen_ai.tool.name", "error.type", "agentpipes.duration_ms",
      "gen_ai.conversation.id", "agentpipes.span.kind", "gen_ai.usage.prompt_tokens", text(),
    ]
    for name in attributes where random.chance(fullness) {
      event.attrs[name] = value(depth: 3)
    }
    return event
  }

  private mutating func maybe<Value>(
    _ fullness: Int, _ make: (inout RandomEvents) -> Value
  ) -> Value? {
    random.chance(fullness) ? make(&self) : nil
  }

  private mutating func value(depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
    case 0: .string(text())
    case 1: .int(Int.random(in: .min ... .max, using: &random))
    case 2: .double(double())
    case 3: .bool(random.chance(2))
    case 4: .null
    case 5: .array((0..<Int.random(in: 0..<3, using: &random)).map { _ in value(depth: depth - 1) })
    default: .object([text(): value(depth: depth - 1)])
    }
  }

  private mutating func text() -> String {
    let texts = [
      "", "a", "linter", "two words", "\"quoted\"\\", "ä–𝄞", "line\nbreak\u{0}\u{7f}", "traceId",
      "0af7651916cd43dd8448eb211c80319c", "{\"spanId\":\"00f067aa0ba902b7\"}", "true", "1.0",
    ]
    return random.one(of: texts, else: "")
  }

  private mutating func id(digits: Int) -> String {
    if random.chance(4) { return text() }
    let alphabet = Array(random.chance(4) ? "0123456789ABCDEF" : "0123456789abcdef")
    return String((0..<digits).map { _ in random.one(of: alphabet, else: "0") })
  }

  private mutating func number() -> Int { Int.random(in: -5...1_000_000, using: &random) }

  private mutating func double() -> Double {
    let values: [Double] = [0.1, -2.5, 1e300, .leastNonzeroMagnitude, 12, 0]
    return random.one(of: values, else: 0)
  }

  private mutating func instant() -> Int64 {
    random.chance(10)
      ? Int64.random(in: .min ... .max, using: &random)
      : Int64.random(in: 0...1_900_000_000_000, using: &random)
  }
}
