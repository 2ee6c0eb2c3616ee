import Foundation
import TestSupport
import Testing

@testable import Core

struct StreamRecordTests {
  /// Writes and reads a thousand values of one type.
  private func survives<Record: StreamRecord & Equatable>(
    _ make: (inout SeededRandom) -> Record
  ) throws {
    var random = SeededRandom(seed: 9)
    let reference = JSONEncoder()
    reference.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for _ in 0..<1000 {
      let record = make(&random)
      #expect(try LineEncoder.text(of: record) == Array(reference.encode(record)))
      let line = try record.line()
      #expect(!line.contains(0x0A))
      let raw = try RawRecord(line: line)
      #expect(raw.type == Record.type)
      #expect(try Record(raw) == record)
      #expect(try Record(raw).line() == line)
    }
  }

  @Test func `a goal survives`() throws { try survives { $0.goal() } }
  @Test func `a pipeline survives`() throws { try survives { $0.pipeline() } }
  @Test func `a stage survives`() throws { try survives { $0.stage() } }
  @Test func `an artifact survives`() throws { try survives { $0.artifact() } }
  @Test func `a page survives`() throws { try survives { $0.page() } }
  @Test func `a message survives`() throws { try survives { $0.message() } }
  @Test func `a gate survives`() throws { try survives { $0.gate() } }
  @Test func `a receipt survives`() throws { try survives { $0.receipt() } }
  @Test func `a delta survives`() throws { try survives { $0.delta() } }
  @Test func `a file survives`() throws { try survives { $0.file() } }
  @Test func `a key survives`() throws { try survives { $0.key() } }
  @Test func `an error survives`() throws { try survives { $0.errorRecord() } }
  @Test func `a URL survives`() throws { try survives { $0.url() } }

  @Test func `what is written quickly is what is written`() throws {
    var random = SeededRandom(seed: 3)
    for _ in 0..<2000 {
      var log = Log(
        ts: Int64(random.count()), agentId: random.text(),
        level: random.one(of: Log.Level.allCases, else: .info), message: random.text())
      log.id = random.maybe { $0.text() }
      log.srcId = random.maybe { $0.text() }
      log.swarmId = random.maybe { $0.text() }
      log.sessionId = random.maybe { $0.text() }
      log.skillId = random.maybe { $0.text() }
      log.incidentId = random.maybe { $0.text() }
      log.count = random.maybe { $0.count() }
      log.labels = random.labels()
      #expect(try log.quickLine == log.line())
      let values: [JSONValue] = [
        .string(random.text()), .int(random.count()), .double(random.number()), .bool(true),
        .array(random.texts().map(JSONValue.string)), .object(["a": .null]),
      ]
      var trace = TraceEvent(
        ts: 0, agentId: "", spanId: random.text(), name: random.text(),
        attrs: Dictionary(values.map { (random.text(), $0) }) { $1 })
      trace.head = log.head
      trace.sessionId = log.sessionId
      trace.skillId = log.skillId
      trace.incidentId = log.incidentId
      trace.traceId = random.maybe { $0.text() }
      trace.parentSpanId = random.maybe { $0.text() }
      trace.phase = random.maybe { $0.one(of: TraceEvent.Phase.allCases, else: .end) }
      #expect(try trace.quickLine == trace.line())
      log.unknown = UnknownMembers(["x": Array("1".utf8)])
      #expect(log.quickLine == nil)
    }
    let odd = TraceEvent(ts: 0, agentId: "a", spanId: "s", name: "n", attrs: ["x": .double(.nan)])
    #expect(odd.quickLine == nil)
  }

  @Test func `numbers and texts are written as Foundation writes them`() throws {
    struct Values: Encodable {
      var numbers: [Double] = [
        0, -0.0, 1, -1, 0.1, 1e15, 1e16, 1e17, 123_456_789_012_345_680, .leastNonzeroMagnitude,
        1e-5, 0.0001,
        1.7976931348623157e308, 100, 1e20, 2.5e-7,
      ]
      var small: [Float] = [0.5, 3]
      var whole: [Int64] = [.min, .max, 0]
      var bytes: [UInt8] = [0, 255]
      var isSo: [Bool?] = [true, nil, false]
      var texts = (0..<0x250).compactMap { UnicodeScalar($0).map { String(Character($0)) } }
      var nested = [["a": [1, 2]], [:]]
      var nothing: Int?
    }
    let reference = JSONEncoder()
    reference.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(
      try String(decoding: LineEncoder.text(of: Values()), as: UTF8.self)
        == String(decoding: reference.encode(Values()), as: UTF8.self))
    for number in [Double.nan, .infinity, -.infinity] {
      #expect(throws: EncodingError.self) { try LineEncoder.text(of: [number]) }
    }
  }

  @Test func `unknown members come out as they came in, in the order of their bytes`() throws {
    let line =
      #"{"zz":1.50e+2,"type":"url","url":"https://a/b","a":{ "y":[1, 2],"x":"\u00e9\/"},"Z":null}"#
    let record = try URLRecord(try RawRecord(line: Array(line.utf8)))
    let expected =
      #"{"Z":null,"a":{ "y":[1, 2],"x":"\u00e9\/"},"type":"url","url":"https://a/b","zz":1.50e+2}"#
    #expect(try record.json() == expected)
  }

  @Test func `names sort by their bytes at every depth`() throws {
    let names = ["\u{FF5E}", "💡", "é", "z", "a", "B", "10", "9", "_", "A b"]
    var goal = Goal(text: "t")
    goal.labels = Dictionary(uniqueKeysWithValues: names.map { ($0, "") })
    let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let labels = "{" + sorted.map { "\"\($0)\":\"\"" }.joined(separator: ",") + "}"
    #expect(try goal.json() == #"{"labels":\#(labels),"text":"t","type":"goal"}"#)
    let members = sorted.map { "\"\($0)\":0" }.joined(separator: ",")
    let record = try URLRecord(json: #"{"type":"url","url":"u",\#(members)}"#)
    let got = try RawRecord(line: try record.line())
    #expect(names.allSatisfy { got.contains($0) })
    #expect(
      try record.json().hasPrefix(#"{"10":0,"9":0,"A b":0,"B":0,"_":0,"a":0,"type":"url""#))
  }

  @Test func `absent and null mean the same`() throws {
    let line = #"{"type":"stage","role":"producer","task":"t","model":null,"sources":null}"#
    let stage = try Stage(try RawRecord(line: Array(line.utf8)))
    #expect(stage.model == nil && stage.sources == nil)
  }

  @Test(arguments: [
    (#"{"type":"goal"}"#, "goal: missing 'text'"),
    (#"{"type":"goal","text":null}"#, "goal: missing 'text'"),
    (#"{"type":"goal","text":7}"#, "goal: 'text' is not a string"),
    (#"{"type":"goal","text":"t","urls":"u"}"#, "goal: 'urls' is not an array"),
    (#"{"type":"goal","text":"t","urls":[1]}"#, "goal: 'urls.0' is not a string"),
    (#"{"type":"goal","text":"t","labels":[]}"#, "goal: 'labels' is not an object"),
    (#"{"type":"goal","text":"t","labels":{"a":1}}"#, "goal: 'labels.a' is not a string"),
    (#"{"type":"pipeline","id":"1"}"#, "pipeline: missing 'goal'"),
    (#"{"type":"pipeline","goal":"g","status":"x"}"#, "pipeline: 'status' has no valid value"),
    (#"{"type":"pipeline","goal":"g","usage":3}"#, "pipeline: 'usage' is not an object"),
    (#"{"type":"pipeline","goal":"g","costUSD":"3"}"#, "pipeline: 'costUSD' is not a number"),
    (
      #"{"type":"pipeline","goal":"g","createdAt":"soon"}"#,
      "pipeline: 'createdAt' has no valid value"
    ),
    (#"{"type":"pipeline","goal":"g","error":{}}"#, "pipeline: missing 'error.code'"),
    (#"{"type":"stage","role":"producer"}"#, "stage: missing 'task'"),
    (#"{"type":"stage","task":"t"}"#, "stage: missing 'role'"),
    (#"{"type":"stage","role":1,"task":"t"}"#, "stage: 'role' is not a string"),
    (
      #"{"type":"stage","role":"r","task":"t","position":"1"}"#,
      "stage: 'position' is not a whole number"
    ),
    (
      #"{"type":"stage","role":"r","task":"t","approved":1}"#,
      "stage: 'approved' is not true or false"
    ),
    (
      #"{"type":"stage","role":"r","task":"t","sources":[{}]}"#, "stage: missing 'sources.0.url'"
    ),
    (#"{"type":"artifact","id":"1","role":"r"}"#, "artifact: missing 'title'"),
    (#"{"type":"page"}"#, "page: missing 'url'"),
    (#"{"type":"message","role":"user"}"#, "message: missing 'text'"),
    (#"{"type":"delta","model":"m"}"#, "delta: missing 'text'"),
    (#"{"type":"url","url":false}"#, "url: 'url' is not a string"),
    (#"{"type":"approvalGate","ts":1}"#, "approvalGate: missing 'gateId'"),
    (#"{"type":"decisionReceipt"}"#, "decisionReceipt: missing 'requestId'"),
    (#"{"type":"file","path":"p"}"#, "file: missing 'status'"),
    (#"{"type":"key","name":"n"}"#, "key: missing 'masked'"),
    (#"{"type":"error"}"#, "error: missing 'code'"),
  ])
  func `a missing or wrong member is named`(line: String, sentence: String) throws {
    let raw = try RawRecord(line: Array(line.utf8), source: "<stdin>:5")
    let failure = #expect(throws: Failure.self) { try Self.decode(raw) }
    #expect(failure == Failure(.badInput, sentence, input: "<stdin>:5"))
  }

  private static func decode(_ raw: RawRecord) throws {
    switch raw.type {
    case Goal.type: _ = try Goal(raw)
    case Pipeline.type: _ = try Pipeline(raw)
    case Stage.type: _ = try Stage(raw)
    case Artifact.type: _ = try Artifact(raw)
    case Page.type: _ = try Page(raw)
    case Message.type: _ = try Message(raw)
    case Delta.type: _ = try Delta(raw)
    case URLRecord.type: _ = try URLRecord(raw)
    case ApprovalGate.type: _ = try ApprovalGate(raw)
    case DecisionReceipt.type: _ = try DecisionReceipt(raw)
    case FileRecord.type: _ = try FileRecord(raw)
    case KeyRecord.type: _ = try KeyRecord(raw)
    default: _ = try ErrorRecord(raw)
    }
  }

  @Test func `hostile numbers are bad input, never fatal`() throws {
    for number in ["1e999", "-1e999", "9223372036854775808", "1.5", "1e18", "-0.0"] {
      let line = #"{"type":"stage","role":"r","task":"t","position":\#(number)}"#
      _ = try? Stage(try RawRecord(line: Array(line.utf8)))
    }
  }

  @Test func `sums of absurd counts stay at the largest number`() {
    let huge = Usage(inputTokens: .max, outputTokens: .max)
    let sum = huge + huge
    #expect(sum.inputTokens == .max)
    #expect(sum.totalTokens == .max)
  }

  @Test(arguments: [
    (#"\ud800"#, "\u{FFFD}"), (#"a\uDFFFb"#, "a\u{FFFD}b"), (#"\ud83d\ude80"#, "🚀"),
    (#"\ud83d\ud83d\ude80\ude80"#, "\u{FFFD}🚀\u{FFFD}"), (#"\\ud800"#, #"\ud800"#),
    (#"\\\ud800\u0041"#, "\\\u{FFFD}A"),
  ])
  func `half of a surrogate pair becomes a replacement character`(
    literal: String, text: String
  ) throws {
    let line = #"{"type":"message","role":"user","text":""# + literal + #""}"#
    #expect(try Message(json: line).text == text)
  }
}
