import Core

/// The nesting depths of spans, as far as their events were seen.
struct SpanDepths {
  /// The maximum number of spans that are remembered: some never end.
  private static let maximumCount = 10_000
  /// The longest ID that is remembered; normal ones have 16 digits.
  private static let longestId = 64
  private static let maximumDepth = 12

  private var depths: [String: Int] = [:]

  /// Returns the depth of an event: of a span in its parent, of a log in its span.
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
