// opentelemetry.proto.logs.v1.

struct WireLogRecord: WireRecord {
  var timeUnixNano: UInt64 = 0
  var severityNumber = WireSeverity()
  var severityText = ""
  var body: WireAnyValue?
  var attributes: [WireKeyValue] = []
  var traceID = WireId()
  var spanID = WireId()
  var observedTimeUnixNano: UInt64 = 0
  var eventName = ""

  static let names = (
    resources: "resourceLogs", scopes: "scopeLogs", records: "logRecords",
    rejected: "rejectedLogRecords"
  )
  static let fields: [WireField<Self>] = [
    .value(1, "timeUnixNano", \.timeUnixNano),
    .value(2, "severityNumber", \.severityNumber),
    .value(3, "severityText", \.severityText),
    .optional(5, "body", \.body),
    .list(6, "attributes", \.attributes),
    .value(9, "traceId", \.traceID),
    .value(10, "spanId", \.spanID),
    .value(11, "observedTimeUnixNano", \.observedTimeUnixNano),
    .value(12, "eventName", \.eventName),
  ]
}

/// A severity: four numbers for each of six levels.
struct WireSeverity: WireEnum {
  var rawValue: Int32

  static let prefix = "SEVERITY_NUMBER_"
  static let names =
    ["UNSPECIFIED"]
    + ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"].flatMap { level in
      ["", "2", "3", "4"].map { level + $0 }
    }
}
