import Core
import Foundation
import OTLP
import TestSupport

/// What a request in JSON holds.
func received(_ signal: OTLPSignal, _ json: String) throws -> OTLPReceived {
  try OTLPRequest(signal, .json, body: Array(json.utf8))
    .received(at: Timestamp(milliseconds: 1_772_013_600_000))
}

extension OTLPReceived {
  /// The events as a log has them, a line each.
  func lines() throws -> [String] { try events.map { try $0.json() } }
}

/// A file of `Fixtures`.
func fixture(_ name: String) throws -> Data {
  try Data(contentsOf: Checkout.root.appending(path: "Tests/Units/OTLP/Fixtures/\(name)"))
}

extension Data {
  /// The lines of a text.
  var lines: [String] {
    String(decoding: self, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

/// What OpenTelemetry's SDK for Python sent; `Fixtures/capture.py` made it.
func captured(_ signal: OTLPSignal, _ encoding: OTLPEncoding) throws -> OTLPRequest {
  let body = try fixture("\(signal.rawValue).\(encoding == .json ? "json" : "bin")")
  return OTLPRequest(signal, encoding, body: Array(body))
}

/// A span in a request of its own; what is not given has values that are good.
func span(
  ids: String = #""traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"00f067aa0ba902b7""#,
  _ rest: String = "", resource: String = attribute("service.name", "shop")
) -> String {
  """
  {"resourceSpans":[{"resource":{"attributes":[\(resource)]},"scopeSpans":[{"spans":[{\(ids),\
  "name":"GET /","startTimeUnixNano":"1772013600000000000","endTimeUnixNano":"1772013600250000000"\
  \(rest.isEmpty ? "" : ",")\(rest)}]}]}]}
  """
}

/// A log record in a request of its own.
func record(_ members: String, resource: String = attribute("service.name", "shop")) -> String {
  """
  {"resourceLogs":[{"resource":{"attributes":[\(resource)]},"scopeLogs":[{"logRecords":[{\
  "timeUnixNano":"1772013600000000000"\(members.isEmpty ? "" : ",")\(members)}]}]}]}
  """
}

/// A metric in a request of its own.
func metric(_ members: String, resource: String = attribute("service.name", "shop")) -> String {
  """
  {"resourceMetrics":[{"resource":{"attributes":[\(resource)]},"scopeMetrics":[{"metrics":[{\
  \(members)}]}]}]}
  """
}

/// An attribute that is a string.
func attribute(_ name: String, _ value: String) -> String {
  #"{"key":"\#(name)","value":{"stringValue":"\#(value)"}}"#
}

/// A field of a message that has a length.
func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
  var length = bytes.count
  var head = [number << 3 | 2]
  while length >= 0x80 {
    head.append(UInt8(length & 0x7F) | 0x80)
    length >>= 7
  }
  return head + [UInt8(length)] + bytes
}
