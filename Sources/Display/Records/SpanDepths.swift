import Core

/// The nesting depths of the spans whose events were seen.
struct SpanDepths {
  /// The maximum number of remembered spans, because some never end.
  private static let maximumCount = 10_000
  /// The maximum length of a remembered ID; usual IDs have 16 digits.
  private static let longestId = 64
  private static let maximumDepth = 12

  private var depths: [String: Int] = [:]

  /// Returns the depth of a span below its parents, or the depth of a log inside its span.
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
