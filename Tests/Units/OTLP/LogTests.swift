import Core
import OTLP
import Testing

/// Log records and metrics of our own making, as JSON.
struct LogTests {
  private func log(_ members: String) throws -> Log {
    try #require(try received(.logs, record(members)).events.last as? Log)
  }

  @Test(arguments: [
    ("1", Log.Level.debug), ("4", .debug), ("5", .debug), ("8", .debug), ("9", .info),
    ("12", .info), ("13", .warn), ("16", .warn), ("17", .error), ("20", .error), ("21", .critical),
    ("24", .critical), ("0", .info), ("99", .info), (#""SEVERITY_NUMBER_WARN2""#, .warn),
  ])
  func `how much it matters`(_ number: String, _ level: Log.Level) throws {
    #expect(try log(#""severityNumber":\#(number),"body":{"stringValue":"x"}"#).level == level)
  }

  @Test func `a name will do where there is no number`() throws {
    #expect(try log(#""severityText":"Warning""#).level == .warn)
    #expect(try log(#""severityText":"FATAL""#).level == .critical)
    #expect(try log(#""severityText":"loud""#).level == .info)
  }

  @Test(arguments: [
    (#""body":{"stringValue":"it's done"}"#, "it's done"), (#""body":{"intValue":"5"}"#, "5"),
    (#""body":{"boolValue":true}"#, "true"), ("", ""), (#""eventName":"order.paid""#, "order.paid"),
    (
      #""body":{"kvlistValue":{"values":[{"key":"b","value":{"doubleValue":0.1}},"#
        + #"{"key":"a","value":{"arrayValue":{"values":[{"stringValue":"x/y"}]}}}]}}"#,
      #"{"a":["x/y"],"b":0.1}"#
    ),
    (#""attributes":[\#(attribute("exception.message", "no disk"))]"#, "no disk"),
  ])
  func `what is said`(_ members: String, _ message: String) throws {
    #expect(try log(members).message == message)
  }

  @Test func `attributes are labels, and the trace is one`() throws {
    let log = try log(
      #""traceId":"0AF7651916cd43dd8448eb211c80319c","spanId":"00f067aa0ba902b7","eventName":"e","#
        + #""attributes":[\#(attribute("gen_ai.conversation.id", "talk")),"#
        + #"{"key":"n","value":{"intValue":"3"}}]"#)
    #expect(log.sessionId == "talk")
    #expect(
      log.labels == [
        "trace_id": "0af7651916cd43dd8448eb211c80319c", "span_id": "00f067aa0ba902b7",
        "event.name": "e", "n": "3",
      ])
  }

  @Test func `the instant is when it happened, else when it was seen, else now`() throws {
    #expect(try log("").ts == 1_772_013_600_000)
    let seen = record("").replacing("timeUnixNano", with: "observedTimeUnixNano")
      .replacing("1772013600000000000", with: "1772013600002000000")
    #expect(try received(.logs, seen).events.first?.head.ts == 1_772_013_600_002)
    let none = record("").replacing("timeUnixNano", with: "time")
    #expect(try received(.logs, none).events.first?.head.ts == 1_772_013_600_000)
  }

  @Test func `the same line twice is two events, and sent again it is the same two`() throws {
    let one = #"{"timeUnixNano":"5","body":{"stringValue":"x"}}"#
    let json = record("").replacing(
      #"{"timeUnixNano":"1772013600000000000"}"#, with: "\(one),\(one)")
    let keys = try received(.logs, json).items.map(\.key)
    #expect(keys.count == 2)
    #expect(Set(keys).count == 2)
    #expect(try received(.logs, json).events.map { $0.head.srcId } == keys)
  }
}

struct MetricTests {
  @Test func `a gauge of a tool, a session, an agent`() throws {
    let points = [
      #"{"timeUnixNano":5000000,"asInt":"3","attributes":[\#(attribute("gen_ai.tool.name", "t"))]}"#,
      #"{"timeUnixNano":"6000000","asDouble":0.5,"attributes":["#
        + #"\#(attribute("gen_ai.conversation.id", "c"))]}"#,
      #"{"timeUnixNano":"7000000","asDouble":-1}"#,
    ]
    let json = metric(
      #""name":"heat","unit":"Cel","gauge":{"dataPoints":[\#(points.joined(separator: ","))]}"#)
    let events = try received(.metrics, json).events.compactMap { $0 as? Metric }
    #expect(events.map(\.body.scope) == [.skill, .session, .agent])
    #expect(events.map(\.value) == [3, 0.5, -1])
    #expect(events.map(\.ts) == [5, 6, 7])
    #expect(
      events.map(\.labels) == [
        ["gen_ai.tool.name": "t", "unit": "Cel"], ["unit": "Cel"], ["unit": "Cel"],
      ])
    #expect(events.map(\.agentId) == ["shop", "shop", "shop"])
  }

  @Test func `a histogram and a summary are several`() throws {
    let histogram = metric(
      #""name":"h","histogram":{"aggregationTemporality":1,"dataPoints":[{"timeUnixNano":"5","#
        + #""count":"4","sum":2.5,"bucketCounts":["4"],"min":0.5}]}"#)
    let found = try received(.metrics, histogram).events.compactMap { $0 as? Metric }
    #expect(found.map(\.name) == ["h.count", "h.sum", "h.min"])
    #expect(found.map(\.value) == [4, 2.5, 0.5])
    #expect(found.map { $0.labels?["temporality"] } == ["delta", "delta", "delta"])
    let summary = metric(
      #""name":"s","summary":{"dataPoints":[{"timeUnixNano":"5","count":2,"sum":3,"#
        + #""quantileValues":[{"quantile":0.5,"value":1},{"quantile":1,"value":2}]}]}"#)
    let told = try received(.metrics, summary).events.compactMap { $0 as? Metric }
    #expect(told.map(\.name) == ["s.count", "s.sum", "s", "s"])
    #expect(told.map { $0.labels?["quantile"] } == [nil, nil, "0.5", "1"])
  }

  @Test func `a hole is no event, and what is no number is rejected`() throws {
    let hole = metric(#""name":"g","gauge":{"dataPoints":[{"flags":1}]}"#)
    #expect(try received(.metrics, hole).items.isEmpty)
    #expect(try received(.metrics, hole).rejected == 0)
    let bad = metric(#""name":"g","gauge":{"dataPoints":[{"asDouble":"Infinity"}]}"#)
    #expect(
      try received(.metrics, bad).message == "a data point is rejected: it is not a finite number")
    let nameless = metric(#""gauge":{"dataPoints":[{"asDouble":1}]}"#)
    #expect(try received(.metrics, nameless).rejected == 1)
  }
}
