/// A span, a log record or a metric.
protocol WireRecord: WireMessage {
  /// The names of lists of resources, of scopes and of records in JSON, and of the number of
  /// rejected records in a response.
  static var names: (resources: String, scopes: String, records: String, rejected: String) { get }
}

/// A request of one of the three services, opentelemetry.proto.collector.
struct WireRequest<Record: WireRecord>: WireMessage {
  var resources: [WireResourceGroup<Record>] = []

  static var fields: [WireField<Self>] { [.list(1, Record.names.resources, \.resources)] }
}

/// The records of a resource.
struct WireResourceGroup<Record: WireRecord>: WireMessage {
  var resource: WireResource?
  var scopes: [WireScopeGroup<Record>] = []

  static var fields: [WireField<Self>] {
    [.optional(1, "resource", \.resource), .list(2, Record.names.scopes, \.scopes)]
  }
}

/// The records of an instrumentation scope.
struct WireScopeGroup<Record: WireRecord>: WireMessage {
  var scope: WireScope?
  var records: [Record] = []

  static var fields: [WireField<Self>] {
    [.optional(1, "scope", \.scope), .list(2, Record.names.records, \.records)]
  }
}

/// The response to a request.
struct WireAnswer<Record: WireRecord>: WireMessage {
  var partialSuccess: WirePartialSuccess<Record>?

  static var fields: [WireField<Self>] { [.optional(1, "partialSuccess", \.partialSuccess)] }
}

/// The number of rejected records, and the reason.
struct WirePartialSuccess<Record: WireRecord>: WireMessage {
  var rejected: Int64 = 0
  var message = ""

  static var fields: [WireField<Self>] {
    [.value(1, Record.names.rejected, \.rejected), .value(2, "errorMessage", \.message)]
  }
}

/// The response to a request that failed: `google.rpc.Status` without its details.
struct WireFailure: WireMessage {
  var code: Int32 = 0
  var message = ""

  static let fields: [WireField<Self>] = [
    .value(1, "code", \.code), .value(2, "message", \.message),
  ]
}
