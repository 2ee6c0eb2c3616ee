/// The role of a span in a call, as a value of ``Events/EventAttribute/spanKind``.
enum SpanKind: String, CaseIterable {
  case server, client, producer, consumer

  init?(_ kind: WireSpanKind) {
    guard let found = Self.allCases.first(where: { $0.wire == kind }) else { return nil }
    self = found
  }

  /// The protocol's value for the role.
  var wire: WireSpanKind {
    switch self {
    case .server: .server
    case .client: .client
    case .producer: .producer
    case .consumer: .consumer
    }
  }
}
