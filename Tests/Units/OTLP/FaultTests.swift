import Core
import OTLP
import TestSupport
import Testing

/// Bodies that are no requests, and answers.
struct FaultTests {
  @Test(arguments: OTLPSignal.allCases, OTLPEncoding.allCases)
  func `a body that ends too early is refused, or what is whole of it is read`(
    _ signal: OTLPSignal, _ encoding: OTLPEncoding
  ) throws {
    let whole = try captured(signal, encoding)
    let count = try whole.received().items.count
    for length in 0..<whole.body.count {
      var cut = whole
      cut.body = Array(whole.body.prefix(length))
      guard let received = try? cut.received() else { continue }
      #expect(encoding == .protobuf)
      #expect(received.items.count <= count)
    }
  }

  @Test(arguments: OTLPSignal.allCases, OTLPEncoding.allCases)
  func `bytes that are not what they were never crash`(
    _ signal: OTLPSignal, _ encoding: OTLPEncoding
  ) throws {
    var random = SeededRandom(seed: 7)
    let whole = try captured(signal, encoding)
    for _ in 0..<1_500 {
      var changed = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: changed.body.indices, using: &random)
        changed.body[place] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try? changed.received().lines()
      changed.body = (0..<Int.random(in: 0..<400, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      _ = try? changed.received().lines()
    }
  }

  /// Bodies of which each part is small, and which hold very much.
  static let hostile: [(OTLPSignal, OTLPEncoding, [UInt8])] = {
    func many(_ bytes: [UInt8], atLeast count: Int) -> [UInt8] {
      var all = bytes
      while all.count < count { all += all }
      return all
    }
    func body(_ scope: [UInt8]) -> [UInt8] { field(1, field(2, scope)) }
    let records = body(many([0x12, 0x00], atLeast: 10 << 20))
    let attributes = body(field(2, many([0x4A, 0x00], atLeast: 10 << 20)))
    let named = """
      {"resourceLogs":[{"resource":{"attributes":[
      {"key":"service.name","value":{"stringValue":"a"}}]},"scopeLogs":[{"logRecords":[{}
      """
    return [
      (.traces, .protobuf, records), (.logs, .protobuf, records), (.metrics, .protobuf, records),
      (.traces, .protobuf, attributes),
      (.traces, .protobuf, many([0x0A, 0x00], atLeast: 10 << 20)),
      (
        .traces, .json,
        Array(#"{"resourceSpans":[{}"#.utf8) + many(Array(",{}".utf8), atLeast: 10 << 20)
          + Array("]}".utf8)
      ),
      (
        .logs, .json,
        Array(named.utf8) + many(Array(",{}".utf8), atLeast: 400_000) + Array("]}]}]}".utf8)
      ),
    ]
  }()

  @Test func `a body of very many small parts is refused before it takes memory`() {
    for (signal, encoding, body) in Self.hostile {
      let failure = #expect(throws: Failure.self) {
        try OTLPRequest(signal, encoding, body: body).received()
      }
      #expect(failure?.kind == .tooLarge && failure?.status == 413)
    }
  }

  @Test(arguments: ["[", "{\"a\":", "{\"resourceSpans\":[", "{\"a\":["])
  func `a text that is nested deeply is refused`(_ opening: String) {
    let body = Array(String(repeating: opening, count: 200_000).utf8)
    for signal in OTLPSignal.allCases {
      #expect(throws: Failure.self) { try OTLPRequest(signal, .json, body: body).received() }
    }
  }

  @Test func `a value that is nested deeply is refused`() {
    let depth = 5_000
    let open = String(repeating: #"{"arrayValue":{"values":["#, count: depth)
    let close = String(repeating: "]}}", count: depth)
    let json = record(#""body":\#(open)\#(close)"#)
    #expect(throws: Failure.self) { try received(.logs, json) }
    // An array in a value in an array, each a field of some length; groups, which nobody writes.
    var value: [UInt8] = []
    for _ in 0..<depth {
      let inner = field(1, value)
      value = field(5, inner)
    }
    let body = field(1, field(2, field(2, field(5, value))))
    #expect(throws: Failure.self) { try OTLPRequest(.logs, .protobuf, body: body).received() }
    let groups = [UInt8](repeating: 0x7B, count: 100_000)
    #expect(throws: Failure.self) { try OTLPRequest(.logs, .protobuf, body: groups).received() }
  }

  @Test func `an empty request is one`() throws {
    for signal in OTLPSignal.allCases {
      #expect(try OTLPRequest(signal, .protobuf, body: []).received().items.isEmpty)
      #expect(try OTLPRequest(signal, .json, body: Array("{}".utf8)).received().items.isEmpty)
      #expect(throws: Failure.self) { try OTLPRequest(signal, .json, body: []).received() }
    }
  }

  @Test func `which encoding a request has`() {
    #expect(OTLPEncoding(contentType: "application/x-protobuf") == .protobuf)
    #expect(OTLPEncoding(contentType: "Application/JSON ; charset=utf-8") == .json)
    #expect(OTLPEncoding(contentType: "text/plain") == nil)
    #expect(OTLPEncoding(contentType: "") == nil)
    #expect(OTLPSignal.allCases.map(\.path) == ["/v1/traces", "/v1/logs", "/v1/metrics"])
  }

  @Test func `an answer says what was not taken`() throws {
    let good = try received(.traces, span())
    let bad = try received(.traces, span(resource: ""))
    func text(_ answer: OTLPAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }
    #expect(text(OTLPAnswer(.traces, .json, to: good)) == "{}")
    #expect(OTLPAnswer(.traces, .protobuf, to: good).body == [])
    let told = OTLPAnswer(.traces, .json, to: bad)
    #expect(
      text(told) == #"{"partialSuccess":{"rejectedSpans":"1","errorMessage":"a span is rejected: "#
        + #"no agent is named by 'gen_ai.agent.id', 'service.instance.id' or 'service.name'"}}"#)
    #expect(told.contentType == "application/json")
    #expect(OTLPAnswer.partialSuccess(told.body, to: .traces)?.rejected == 1)
    #expect(OTLPAnswer.partialSuccess(Array("{}".utf8), to: .traces) == nil)
    let binary = OTLPAnswer(.logs, .protobuf, to: bad)
    #expect(binary.body.starts(with: [0x0A, UInt8(binary.body.count - 2), 0x08, 1, 0x12]))
    #expect(text(OTLPAnswer(.metrics, .json, to: bad)).contains(#""rejectedDataPoints":"1""#))
    #expect(text(OTLPAnswer(.logs, .json, to: bad)).contains(#""rejectedLogRecords":"1""#))
  }

  @Test func `an answer to a request that failed`() throws {
    let json = OTLPAnswer(failed: 400, .json, message: "no")
    #expect(String(decoding: json.body, as: UTF8.self) == #"{"code":3,"message":"no"}"#)
    let binary = OTLPAnswer(failed: 503, .protobuf, message: "no")
    #expect(binary.body == [0x08, 14, 0x12, 2, 0x6E, 0x6F])
  }

  @Test func `events that their sender may not tell are refused`() throws {
    var alert = Alert(ts: 5, kind: .incident, severity: .error, summary: "s")
    alert.id = "1-1"
    let log = Log(ts: 5, agentId: "a", level: .info, message: "m")
    var writer = OTLPWriter()
    let body = try #require(try writer.requests(for: [alert, log]).first)
    var received = try OTLPRequest(.logs, .json, body: body.bytes).received()
    received.refuse { $0 is Alert ? "an alert is not taken" : nil }
    #expect(received.events.map { type(of: $0).type } == ["log"])
    #expect(received.rejected == 1)
    #expect(received.message == "an alert is not taken")
  }
}
