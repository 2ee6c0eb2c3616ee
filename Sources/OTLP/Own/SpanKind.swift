/// What a span is to its peers, in the words of ``Events/EventAttribute/spanKind``.
enum SpanKind: String, CaseIterable {
  case server, client, producer, consumer

  init?(_ kind: WireSpan.SpanKind) {
    guard let found = Self.allCases.first(where: { $0.wire == kind }) else { return nil }
    self = found
  }

  /// As the protocol has it.
  var wire: WireSpan.SpanKind {
    switch self {
    case .server: .server
    case .client: .client
    case .producer: .producer
    case .consumer: .consumer
    }
  }
}
