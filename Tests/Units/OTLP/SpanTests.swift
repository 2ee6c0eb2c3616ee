import Core
import OTLP
import Testing

/// Spans of our own making, as JSON.
struct SpanTests {
  private func event(_ json: String) throws -> TraceEvent {
    try #require(try received(.traces, json).events.last as? TraceEvent)
  }

  @Test func `a span of any service`() throws {
    #expect(
      try received(.traces, span()).lines() == [
        #"{"agentId":"shop","attrs":{"agentpipes.duration_ms":250},"name":"GET /","phase":"end","#
          + #""spanId":"00f067aa0ba902b7","#
          + #""srcId":"otlp:0af7651916cd43dd8448eb211c80319c:00f067aa0ba902b7","#
          + #""traceId":"0af7651916cd43dd8448eb211c80319c","ts":1772013600250,"type":"traceEvent"}"#
      ])
  }

  @Test(arguments: [
    ([attribute("service.name", "a")], "a", nil),
    ([attribute("service.name", "a"), attribute("service.instance.id", "b")], "b", nil),
    (
      [
        attribute("service.instance.id", "b"), attribute("gen_ai.agent.id", "c"),
        attribute("service.namespace", "s"),
      ], "c", "s"
    ),
    (
      [
        attribute("service.name", "a"), attribute("service.namespace", "s"),
        attribute("agentpipes.swarm.id", "t"),
      ], "a", "t"
    ),
    ([attribute("service.name", "a"), attribute("service.instance.id", "")], "a", nil),
  ])
  func `who did it`(_ attributes: [String], _ agent: String, _ swarm: String?) throws {
    let event = try event(span(resource: attributes.joined(separator: ",")))
    #expect(event.agentId == agent)
    #expect(event.swarmId == swarm)
  }

  @Test func `a span may name its agent itself, and its conversation and tool`() throws {
    let attributes = [
      attribute("gen_ai.agent.id", "own"), attribute("agentpipes.swarm.id", "many"),
      attribute("gen_ai.conversation.id", "talk"), attribute("gen_ai.tool.name", "grep"),
    ]
    let event = try event(span(#""attributes":[\#(attributes.joined(separator: ","))]"#))
    #expect(event.agentId == "own")
    #expect(event.swarmId == "many")
    #expect(event.sessionId == "talk")
    #expect(event.skillId == "grep")
    #expect(
      event.attrs == ["gen_ai.tool.name": .string("grep"), "agentpipes.duration_ms": .int(250)])
  }

  @Test func `an operation is what an event is named by`() throws {
    let attributes = [attribute("gen_ai.operation.name", "chat"), attribute("gen_ai.system", "x")]
    let event = try event(span(#""kind":3,"attributes":[\#(attributes.joined(separator: ","))]"#))
    #expect(event.name == "chat")
    #expect(
      event.attrs == [
        "gen_ai.operation.name": .string("chat"), "gen_ai.provider.name": .string("x"),
        "agentpipes.span.name": .string("GET /"), "agentpipes.span.kind": .string("client"),
        "agentpipes.duration_ms": .int(250),
      ])
  }

  @Test(arguments: [
    (#""status":{"code":2}"#, ["error.type": JSONValue.string("_OTHER")]),
    (
      #""status":{"code":"STATUS_CODE_ERROR","message":"no"}"#,
      ["error.type": .string("_OTHER"), "otel.status_description": .string("no")]
    ),
    (
      #""status":{"code":2},"attributes":[\#(attribute("error.type", "timeout"))]"#,
      ["error.type": .string("timeout")]
    ),
    (#""status":{"code":1,"message":"fine"}"#, [:]),
  ])
  func `an error is told of by its type`(_ rest: String, _ attrs: [String: JSONValue]) throws {
    let all = attrs.merging(["agentpipes.duration_ms": .int(250)]) { $1 }
    #expect(try event(span(rest)).attrs == all)
  }

  @Test func `values of every form`() throws {
    let values = [
      #"{"key":"a","value":{"intValue":"-9223372036854775808"}}"#,
      #"{"key":"b","value":{"intValue":7}}"#, #"{"key":"c","value":{"doubleValue":0.5}}"#,
      #"{"key":"d","value":{"doubleValue":"NaN"}}"#, #"{"key":"e","value":{"boolValue":false}}"#,
      #"{"key":"f","value":{"bytesValue":"AAEC"}}"#, #"{"key":"g","value":{}}"#, #"{"key":"h"}"#,
      #"{"key":"i","value":{"arrayValue":{"values":[{"stringValue":"x"},{"intValue":"1"}]}}}"#,
      #"{"key":"j","value":{"kvlistValue":{"values":[{"key":"k","value":{"boolValue":true}}]}}}"#,
    ]
    let attrs = try event(span(#""attributes":[\#(values.joined(separator: ","))]"#)).attrs
    #expect(
      attrs == [
        "a": .int(.min), "b": .int(7), "c": .double(0.5), "d": .string("NaN"), "e": .bool(false),
        "f": .string("AAEC"), "g": .null, "h": .null, "i": .array([.string("x"), .int(1)]),
        "j": .object(["k": .bool(true)]), "agentpipes.duration_ms": .int(250),
      ])
  }

  @Test func `ids are hexadecimal in either case, and what is not known is passed`() throws {
    let ids = #""spanId" : "00F067AA0BA902B7" , "traceId":"0AF7651916CD43DD8448EB211C80319C""#
    let json = span(
      ids: ids,
      #""parentSpanId":"","flags":256,"news":{"traceId":[{"spanId":"zz"}]},"links":[{"traceId":"?"}]"#
    )
    #expect(try received(.traces, json).lines() == received(.traces, span()).lines())
  }

  @Test(arguments: [
    #""traceId":"0af7651916cd43dd8448eb211c80319c""#, #""spanId":"00f067aa0ba902b7""#,
    #""traceId":"0af7651916cd43dd8448eb211c80319","spanId":"00f067aa0ba902b7""#,
    #""traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"0000000000000000""#,
    #""traceId":"not hexadecimal at all, no, no !","spanId":"00f067aa0ba902b7""#,
  ])
  func `a span without good ids is rejected, and nothing else`(_ ids: String) throws {
    let found = try received(.traces, span(ids: ids))
    #expect(found.items.isEmpty)
    #expect(found.rejected == 1)
    #expect(
      found.message == "a span is rejected: its ids must have 16 and 8 bytes and must not be zero")
  }

  @Test func `a span of nobody is rejected`() throws {
    let found = try received(.traces, span(resource: ""))
    #expect(found.rejected == 1)
    #expect(
      found.message == "a span is rejected: no agent is named by 'gen_ai.agent.id', "
        + "'service.instance.id' or 'service.name'")
    let long = String(repeating: "a", count: 257)
    #expect(try received(.traces, span(resource: attribute("service.name", long))).rejected == 1)
  }

  @Test func `the rest of a resource labels its events, up to a kilobyte`() throws {
    let resource = [
      attribute("service.name", "shop"), attribute("service.instance.id", "till"),
      attribute("telemetry.sdk.name", "x"), attribute("process.pid", "1"),
      attribute("team", "tools"), attribute("a", String(repeating: "a", count: 1_020)),
    ]
    let labels = try event(span(resource: resource.joined(separator: ","))).labels
    #expect(labels?.keys.sorted() == ["a"])
    let less = try event(span(resource: resource.dropLast().joined(separator: ","))).labels
    #expect(less == ["service.name": "shop", "team": "tools"])
  }
}
