// opentelemetry.proto.metrics.v1.

struct WireMetric: WireRecord {
  enum Points: Sendable {
    case gauge(WireNumbers)
    case sum(WireNumbers)
    case histogram(WireHistogram<WireHistogramPoint>)
    case exponentialHistogram(WireHistogram<WireExponentialPoint>)
    case summary(WireSummary)
  }

  var name = ""
  var unit = ""
  var points: Points?

  static let names = (
    resources: "resourceMetrics", scopes: "scopeMetrics", records: "metrics",
    rejected: "rejectedDataPoints"
  )
  static let fields: [WireField<Self>] = [
    .value(1, "name", \.name),
    .value(3, "unit", \.unit),
    .optional(5, "gauge", \.gauge, isAlternative: true),
    .optional(7, "sum", \.sum, isAlternative: true),
    .optional(9, "histogram", \.histogram, isAlternative: true),
    .optional(10, "exponentialHistogram", \.exponentialHistogram, isAlternative: true),
    .optional(11, "summary", \.summary, isAlternative: true),
  ]

  private var gauge: WireNumbers? {
    get { if case .gauge(let points)? = points { points } else { nil } }
    set { points = newValue.map(Points.gauge) }
  }
  private var sum: WireNumbers? {
    get { if case .sum(let points)? = points { points } else { nil } }
    set { points = newValue.map(Points.sum) }
  }
  private var histogram: WireHistogram<WireHistogramPoint>? {
    get { if case .histogram(let points)? = points { points } else { nil } }
    set { points = newValue.map(Points.histogram) }
  }
  private var exponentialHistogram: WireHistogram<WireExponentialPoint>? {
    get { if case .exponentialHistogram(let points)? = points { points } else { nil } }
    set { points = newValue.map(Points.exponentialHistogram) }
  }
  private var summary: WireSummary? {
    get { if case .summary(let points)? = points { points } else { nil } }
    set { points = newValue.map(Points.summary) }
  }
}

/// The points of a sum, or of a gauge, which has no temporality.
struct WireNumbers: WireMessage {
  var dataPoints: [WireNumberPoint] = []
  var temporality = WireTemporality()

  static let fields: [WireField<Self>] = [
    .list(1, "dataPoints", \.dataPoints),
    .value(2, "aggregationTemporality", \.temporality),
  ]
}

struct WireHistogram<Point: WireMessage>: WireMessage {
  var dataPoints: [Point] = []
  var temporality = WireTemporality()

  static var fields: [WireField<Self>] {
    [
      .list(1, "dataPoints", \.dataPoints),
      .value(2, "aggregationTemporality", \.temporality),
    ]
  }
}

struct WireSummary: WireMessage {
  var dataPoints: [WireSummaryPoint] = []

  static let fields: [WireField<Self>] = [.list(1, "dataPoints", \.dataPoints)]
}

struct WireTemporality: WireEnum {
  var rawValue: Int32

  static let delta = Self(rawValue: 1)
  static let cumulative = Self(rawValue: 2)

  static let prefix = "AGGREGATION_TEMPORALITY_"
  static let names = ["UNSPECIFIED", "DELTA", "CUMULATIVE"]
}

struct WireNumberPoint: WireMessage {
  enum Number: Sendable {
    case double(Double)
    case int(Int64)
  }

  var startTimeUnixNano: UInt64 = 0
  var timeUnixNano: UInt64 = 0
  var number: Number?
  var attributes: [WireKeyValue] = []
  var flags: UInt32 = 0

  static let fields: [WireField<Self>] = [
    .value(2, "startTimeUnixNano", \.startTimeUnixNano),
    .value(3, "timeUnixNano", \.timeUnixNano),
    .optional(4, "asDouble", \.asDouble, isAlternative: true),
    .optional(6, "asInt", \.asInt, isAlternative: true),
    .list(7, "attributes", \.attributes),
    .value(8, "flags", \.flags),
  ]

  /// The number as a fraction; nil if it is an integer or absent.
  var asDouble: Double? {
    get { if case .double(let number)? = number { number } else { nil } }
    set { number = newValue.map(Number.double) }
  }
  private var asInt: WireFixedInteger? {
    get { if case .int(let number)? = number { WireFixedInteger(number: number) } else { nil } }
    set { number = newValue.map { .int($0.number) } }
  }
}

struct WireHistogramPoint: WireMessage {
  var startTimeUnixNano: UInt64 = 0
  var timeUnixNano: UInt64 = 0
  var count: UInt64 = 0
  var sum: Double?
  var attributes: [WireKeyValue] = []
  var flags: UInt32 = 0
  var min: Double?
  var max: Double?

  static let fields: [WireField<Self>] = [
    .value(2, "startTimeUnixNano", \.startTimeUnixNano),
    .value(3, "timeUnixNano", \.timeUnixNano),
    .value(4, "count", \.count),
    .optional(5, "sum", \.sum),
    .list(9, "attributes", \.attributes),
    .value(10, "flags", \.flags),
    .optional(11, "min", \.min),
    .optional(12, "max", \.max),
  ]
}

struct WireExponentialPoint: WireMessage {
  var attributes: [WireKeyValue] = []
  var startTimeUnixNano: UInt64 = 0
  var timeUnixNano: UInt64 = 0
  var count: UInt64 = 0
  var sum: Double?
  var flags: UInt32 = 0
  var min: Double?
  var max: Double?

  static let fields: [WireField<Self>] = [
    .list(1, "attributes", \.attributes),
    .value(2, "startTimeUnixNano", \.startTimeUnixNano),
    .value(3, "timeUnixNano", \.timeUnixNano),
    .value(4, "count", \.count),
    .optional(5, "sum", \.sum),
    .value(10, "flags", \.flags),
    .optional(12, "min", \.min),
    .optional(13, "max", \.max),
  ]
}

struct WireSummaryPoint: WireMessage {
  var startTimeUnixNano: UInt64 = 0
  var timeUnixNano: UInt64 = 0
  var count: UInt64 = 0
  var sum = 0.0
  var quantiles: [WireQuantile] = []
  var attributes: [WireKeyValue] = []
  var flags: UInt32 = 0

  static let fields: [WireField<Self>] = [
    .value(2, "startTimeUnixNano", \.startTimeUnixNano),
    .value(3, "timeUnixNano", \.timeUnixNano),
    .value(4, "count", \.count),
    .value(5, "sum", \.sum),
    .list(6, "quantileValues", \.quantiles),
    .list(7, "attributes", \.attributes),
    .value(8, "flags", \.flags),
  ]
}

struct WireQuantile: WireMessage {
  var quantile = 0.0
  var value = 0.0

  static let fields: [WireField<Self>] = [
    .value(1, "quantile", \.quantile),
    .value(2, "value", \.value),
  ]
}
