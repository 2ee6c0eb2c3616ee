import Core
import OTLP
import Testing

/// What the SDK for Python sends, as protobuf and as JSON.
struct CapturedTests {
  @Test(arguments: OTLPSignal.allCases)
  func `protobuf and JSON give the same events`(_ signal: OTLPSignal) throws {
    let binary = try captured(signal, .protobuf).received()
    let json = try captured(signal, .json).received()
    #expect(try binary.lines() == json.lines())
    #expect(binary.items.map(\.key) == json.items.map(\.key))
    #expect(binary.rejected == 0)
    #expect(!binary.items.isEmpty)
  }

  @Test(arguments: OTLPSignal.allCases)
  func `what is sent again has the same keys, and no two of them are one`(
    _ signal: OTLPSignal
  ) throws {
    let keys = try captured(signal, .protobuf).received().items.map(\.key)
    #expect(try captured(signal, .protobuf).received().items.map(\.key) == keys)
    #expect(Set(keys).count == keys.count)
  }

  /// A span is an event of phase end, after its own events; a log record is a log; a point is a
  /// metric, that of a histogram several.
  @Test(arguments: OTLPSignal.allCases)
  func `what the events are`(_ signal: OTLPSignal) throws {
    let lines = try captured(signal, .protobuf).received().lines()
    #expect(try lines == fixture("\(signal.rawValue).ndjson").lines)
  }
}
