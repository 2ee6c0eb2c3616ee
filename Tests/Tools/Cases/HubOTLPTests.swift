import Foundation
import TestSupport
import Testing

/// A hub that receives OTLP over HTTP, and refuses some.
@Suite("OTLP at a hub")
struct HubOTLPTests {
  private static let logs =
    #"{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"linter"}}]},"#
    + #""scopeLogs":[{"logRecords":[{"timeUnixNano":"1735300001000000000","body":{"stringValue":"hello"}}]}]}]}"#

  /// Sends logs, and returns the status of the answer.
  private func send(
    _ scratch: Scratch, _ fields: String, _ type: String = "application/json"
  ) async throws -> String {
    try await scratch.shell(
      "curl -so answer -w '%{http_code}' \(fields) -H 'Content-Type: \(type)' --data-binary @logs.json $HUB/v1/logs"
    ).output
  }

  @Test func `a token whose field was not decoded is accepted`() async throws {
    try await Scratch.withHub { scratch, hub in
      try scratch.write("work/logs.json", Self.logs)
      #expect(try await send(scratch, "-H \"Authorization: Bearer%20$TOKEN\"") == "200")
      #expect(try await send(scratch, "-H \"authorization: bearer%20$TOKEN\"") == "200")
      let events = try await scratch.shell("stream-tail -n 10 --json | jq -r .message")
      #expect(events.output == "hello\n")
      #expect(!hub.errors.contains("telemetry"))
    }
  }

  @Test func `telemetry that is refused is logged once for each sender and reason`() async throws {
    try await Scratch.withHub { scratch, hub in
      try scratch.write("work/logs.json", Self.logs)
      let exporter = "-A 'OTel-OTLP-Exporter-JavaScript/0.208.0'"
      for _ in 0..<3 {
        #expect(try await send(scratch, exporter) == "401")
        #expect(try await send(scratch, "-A b") == "401")
        #expect(try await send(scratch, "\(exporter) -H 'Authorization: Bearer no'") == "401")
        #expect(try await send(scratch, "-A c -H \"$AUTH\"", "text/plain") == "415")
      }
      let lines = hub.errors.split(separator: "\n").filter { $0.contains("telemetry of") }
        .map { $0.drop { $0 != ":" }.dropFirst(2) }
      let sender = "telemetry of '127.0.0.1'"
      try #require(lines.count == 4)
      #expect(
        lines[0].hasPrefix(
          "\(sender) (OTel-OTLP-Exporter-JavaScript/0.208.0) is refused: the request has no token"))
      #expect(lines[1].hasPrefix("\(sender) (b) is refused: the request has no token"))
      #expect(
        lines[2].hasPrefix("\(sender) (OTel-OTLP-Exporter-JavaScript/0.208.0) is refused: "))
      #expect(lines[3].contains("(c) is refused: OTLP is 'application/x-protobuf'"))
      // Other requests without a token are none of telemetry.
      try await scratch.shell("curl -s $HUB/v1/events")
      #expect(!hub.errors.contains("/v1/events"))
    }
  }
}
