/// The role of a span, as a value of the attribute ``Events/EventAttribute/spanKind``.
enum SpanKind: String, CaseIterable {
  case server, client, producer, consumer

  init?(_ kind: WireSpan.SpanKind) {
    guard let found = Self.allCases.first(where: { $0.wire == kind }) else { return nil }
    self = found
  }

  /// The protocol's form of the kind.
  var wire: WireSpan.SpanKind {
    switch self {
    case .server: .server
    case .client: .client
    case .producer: .producer
    case .consumer: .consumer
    }
  }
}
