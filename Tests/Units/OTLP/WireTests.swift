import Core
import OTLP
import Testing

/// The forms that protobuf and its JSON allow.
struct WireTests {
  private static let service = field(
    1, field(1, field(1, Array("service.name".utf8)) + field(2, field(1, Array("shop".utf8)))))

  /// A request with a log record of the given fields.
  private static func logs(_ record: [UInt8]) -> OTLPRequest {
    OTLPRequest(.logs, .protobuf, body: field(1, service + field(2, field(2, record))))
  }

  private static func lines(_ record: [UInt8]) throws -> [String] {
    try logs(record).received(at: Timestamp(milliseconds: 7)).lines()
  }

  /// A body that is the given text.
  private static func words(_ text: String) -> [UInt8] { field(5, field(1, Array(text.utf8))) }

  @Test(arguments: OTLPSignal.allCases)
  func `fields that are not known are skipped`(_ signal: OTLPSignal) throws {
    // A varint, 8 bytes, bytes, a group with a group and a varint in it, and 4 bytes.
    let unknown: [UInt8] =
      [0xF8, 0x07, 0xFF, 0x01, 0xF9, 0x07, 1, 2, 3, 4, 5, 6, 7, 8, 0xFA, 0x07, 2, 0xFF, 0xFE]
      + [0xFB, 0x07, 0x0B, 0x08, 5, 0x0C, 0xFC, 0x07, 0xFD, 0x07, 1, 2, 3, 4]
    let whole = try captured(signal, .protobuf)
    var more = whole
    more.body = unknown + whole.body + unknown
    #expect(try more.received().lines() == whole.received().lines())
    #expect(
      try Self.lines(unknown + Self.words("a") + unknown) == Self.lines(Self.words("a")))
  }

  @Test func `a field of another form is skipped`() throws {
    // The body and the time as numbers.
    #expect(
      try Self.lines([0x28, 5, 0x08, 9] + Self.words("a")) == Self.lines(Self.words("a")))
  }

  @Test func `of a value that occurs twice the last counts, and messages are merged`() throws {
    #expect(
      try Self.lines(Self.words("a") + Self.words("b")) == Self.lines(Self.words("b")))
    func list(_ text: String) -> [UInt8] {
      field(5, field(5, field(1, field(1, Array(text.utf8)))))
    }
    let line = try #require(Self.lines(list("a") + list("b")).first)
    #expect(line.contains(#""message":"[\"a\",\"b\"]""#))
  }

  @Test(arguments: [
    ([0x08], "truncated"), ([0x0A, 5, 1], "truncated"), ([0x0F, 1], "malformedProtobuf"),
    ([0x02, 0], "malformedProtobuf"), ([0x0C], "malformedProtobuf"),
    ([0xF3, 0x07, 0x08], "truncated"), ([0xF3, 0x07, 0xFC, 0x07], "malformedProtobuf"),
    ([0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], "malformedProtobuf"),
    ([0xF8, 0x07] + [UInt8](repeating: 0xFF, count: 11), "malformedProtobuf"),
  ])
  func `bytes that are not protobuf are refused`(_ body: [UInt8], _ reason: String) {
    let failure = #expect(throws: Failure.self) {
      try OTLPRequest(.logs, .protobuf, body: body).received()
    }
    #expect(
      failure?.explanation == "cannot parse the body as application/x-protobuf: \(reason)")
  }

  @Test func `a string that is not UTF-8 is refused`() {
    let failure = #expect(throws: Failure.self) {
      try Self.logs(field(3, [0xC3])).received()
    }
    #expect(
      failure?.explanation == "cannot parse the body as application/x-protobuf: invalidUTF8")
  }

  @Test(arguments: [
    (#""time_unix_nano":"1772013600000000000""#), (#""timeUnixNano":1772013600000000000"#),
    (#""timeUnixNano":1.7720136e18,"severityNumber":null"#),
    (#""timeUnixNano":"1772013600000000000","severityNumber":"SEVERITY_NUMBER_INFO2""#),
    (#""timeUnixNano":"17720136E11","severityNumber":10,"body":null,"attributes":null"#),
  ])
  func `members have every form that protobuf's JSON allows`(_ members: String) throws {
    let json =
      #"{"resourceLogs":[{"resource":{"attributes":[\#(attribute("service.name", "shop"))]},"#
      + #""scopeLogs":[{"logRecords":[{\#(members)}]}]}]}"#
    #expect(try received(.logs, json).lines() == received(.logs, record("")).lines())
  }

  @Test(arguments: [
    (
      #""body":{"stringValue":"a","boolValue":true}"#, "more than one value at 'boolValue'"
    ),
    (#""body":"a""#, "the value of 'body' has the wrong type or is out of range"),
    (#""body":{"intValue":"9223372036854775808"}"#, "the value of 'intValue' "),
    (#""body":{"intValue":1.5}"#, "the value of 'intValue' "),
    (#""body":{"intValue":" 1"}"#, "the value of 'intValue' "),
    (#""body":{"doubleValue":"infinity"}"#, "the value of 'doubleValue' "),
    (#""body":{"bytesValue":"?"}"#, "the value of 'bytesValue' "),
    (#""body":{"arrayValue":{"values":[null]}}"#, "the value of 'values' "),
    (#""observedTimeUnixNano":-1"#, "the value of 'observedTimeUnixNano' "),
    (#""severityNumber":2147483648"#, "the value of 'severityNumber' "),
    (#""traceId":7"#, "the value of 'traceId' "),
    (#""attributes":{}"#, "the value of 'attributes' "),
    (#""body":{"#, "it is not valid JSON"),
  ])
  func `a member that does not fit is named`(_ members: String, _ reason: String) {
    let failure = #expect(throws: Failure.self) { try received(.logs, record(members)) }
    #expect(
      failure?.explanation.hasPrefix("cannot parse the body as application/json: \(reason)")
        ?? false)
  }
}
