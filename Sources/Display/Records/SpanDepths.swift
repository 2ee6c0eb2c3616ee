import Core

/// The nesting depths of the spans whose events were seen.
struct SpanDepths {
  /// The maximum number of remembered spans.
  ///
  /// A limit is needed because some spans never end.
  private static let maximumCount = 10_000
  /// The maximum length of a remembered id.
  ///
  /// Usual ids have 16 digits.
  private static let longestId = 64
  private static let maximumDepth = 12

  private var depths: [String: Int] = [:]

  /// Returns the nesting depth of the given event.
  ///
  /// For a span, this is the number of its ancestors. A log has the depth inside its span.
  mutating func depth(_ event: RawRecord) -> Int {
    guard let span = id(event, "spanId") else { return 0 }
    guard event.type == "traceEvent" else { return depths[span].map { $0 + 1 } ?? 0 }
    let parent = id(event, "parentSpanId").flatMap { depths[$0] }
    let depth = depths[span] ?? min(parent.map { $0 + 1 } ?? 0, Self.maximumDepth)
    if event.string("phase") == "end" {
      depths[span] = nil
    } else {
      if depths.count >= Self.maximumCount { depths = [:] }
      depths[span] = depth
    }
    return depth
  }

  private func id(_ event: RawRecord, _ name: String) -> String? {
    event.string(name).flatMap { $0.utf8.count <= Self.longestId ? $0 : nil }
  }
}
