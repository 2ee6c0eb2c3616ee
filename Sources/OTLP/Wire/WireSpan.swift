// opentelemetry.proto.trace.v1.

struct WireSpan: WireRecord {
  var traceID = WireId()
  var spanID = WireId()
  var parentSpanID = WireId()
  var name = ""
  var kind = WireSpanKind()
  var startTimeUnixNano: UInt64 = 0
  var endTimeUnixNano: UInt64 = 0
  var attributes: [WireKeyValue] = []
  var events: [WireSpanEvent] = []
  var status: WireStatus?

  static let names = (
    resources: "resourceSpans", scopes: "scopeSpans", records: "spans", rejected: "rejectedSpans"
  )
  static let fields: [WireField<Self>] = [
    .value(1, "traceId", \.traceID),
    .value(2, "spanId", \.spanID),
    .value(4, "parentSpanId", \.parentSpanID),
    .value(5, "name", \.name),
    .value(6, "kind", \.kind),
    .value(7, "startTimeUnixNano", \.startTimeUnixNano),
    .value(8, "endTimeUnixNano", \.endTimeUnixNano),
    .list(9, "attributes", \.attributes),
    .list(11, "events", \.events),
    .optional(15, "status", \.status),
  ]
}

struct WireSpanEvent: WireMessage {
  var timeUnixNano: UInt64 = 0
  var name = ""
  var attributes: [WireKeyValue] = []

  static let fields: [WireField<Self>] = [
    .value(1, "timeUnixNano", \.timeUnixNano),
    .value(2, "name", \.name),
    .list(3, "attributes", \.attributes),
  ]
}

struct WireStatus: WireMessage {
  var message = ""
  var code = WireStatusCode()

  static let fields: [WireField<Self>] = [
    .value(2, "message", \.message), .value(3, "code", \.code),
  ]
}

struct WireSpanKind: WireEnum {
  var rawValue: Int32

  static let `internal` = Self(rawValue: 1)
  static let server = Self(rawValue: 2)
  static let client = Self(rawValue: 3)
  static let producer = Self(rawValue: 4)
  static let consumer = Self(rawValue: 5)

  static let prefix = "SPAN_KIND_"
  static let names = ["UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"]
}

struct WireStatusCode: WireEnum {
  var rawValue: Int32

  static let error = Self(rawValue: 2)

  static let prefix = "STATUS_CODE_"
  static let names = ["UNSET", "OK", "ERROR"]
}
