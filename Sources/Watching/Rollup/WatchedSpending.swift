import Core
import Events

/// The usage of one conversation, and the source that reported it.
///
/// The same usage is also part of the ``WatchedUsage`` documents. If a better source reports the
/// conversation, the usage from the earlier source is subtracted from them.
struct WatchedSpending: WatchedDocument {
  static let kind = "spending"
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<WatchedSpending>> { \.spendings }

  /// The part of the conversation's usage that one ``WatchedUsage`` document includes.
  struct Part: Codable, Sendable, Equatable {
    var calls = 0
    var usage = Usage()
    var costUSD = 0.0
    /// The number of calls whose cost is unknown.
    var unpriced = 0
    /// `true` if a counter of money has reported.
    var hasCost: Bool?
  }

  /// The ID of the conversation; for calls outside of conversations, that of the agent.
  var id: String
  var agentId: String
  var source: UsageSource?
  /// The parts, by the ID of the document that includes them.
  ///
  /// The ID begins with the day.
  var parts: [String: Part] = [:]
  /// The last value of each cumulative counter, by a digest of its name and labels.
  var series: [String: Double] = [:]
  var updatedAt: Int64

  /// The maximum number of entries in ``parts``, and of those in ``series``.
  private static let most = 100

  init(id: String, agentId: String, updatedAt: Int64) {
    (self.id, self.agentId, self.updatedAt) = (id, agentId, updatedAt)
  }

  /// Changes the part that the document with the given ID includes.
  mutating func change(_ place: WatchedUsage, _ change: (inout Part) -> Void) {
    updatedAt = max(updatedAt, place.updatedAt)
    // A conversation with so many models and days is implausible. Its sum remains correct.
    let isKnown = parts[place.id] != nil || parts.count < Self.most
    change(&parts[isKnown ? place.id : "\(place.day) ", default: Part()])
  }

  /// Returns the increase of the counter with the given value.
  ///
  /// A cumulative counter repeats its value until it grows. If its sender restarts, its labels name
  /// another start.
  mutating func increase(_ point: UsagePoint) -> Double {
    guard point.isCumulative else { return point.value }
    let last = series[point.series]
    guard last != nil || series.count < Self.most else { return 0 }
    series[point.series] = max(last ?? 0, point.value)
    return max(0, point.value - (last ?? 0))
  }

  /// Records that the run of the conversation reported a total cost.
  mutating func settle(_ open: [String: Int]) {
    for (place, calls) in open {
      guard let part = parts[place] else { continue }
      parts[place]?.unpriced = max(0, part.unpriced - calls)
    }
  }

  /// Returns the usage since the given day in the documents whose IDs are chosen.
  func total(since day: String, where isChosen: (String) -> Bool = { _ in true }) -> Part {
    parts.filter { $0.key >= day && isChosen($0.key) }.values.reduce(into: Part()) { $0.add($1) }
  }
}

extension Usage {
  /// Returns the usage without the given part of it.
  func without(_ part: Usage) -> Usage {
    func less(_ whole: Int, _ part: Int) -> Int { max(0, whole - part) }
    return Usage(
      inputTokens: less(inputTokens, part.inputTokens),
      outputTokens: less(outputTokens, part.outputTokens),
      cacheReadTokens: less(cacheReadTokens, part.cacheReadTokens),
      cacheWriteTokens: less(cacheWriteTokens, part.cacheWriteTokens))
  }
}

extension WatchedSpending.Part {
  /// The cost in US dollars; nil if a part of it is unknown.
  var knownCost: Double? { unpriced > 0 ? nil : costUSD }

  /// Adds the given usage.
  mutating func add(_ part: Self) {
    calls += part.calls
    usage = usage + part.usage
    costUSD += part.costUSD
    unpriced += part.unpriced
  }

  /// Subtracts the given part of the usage.
  mutating func remove(_ part: Self) {
    calls = max(0, calls - part.calls)
    usage = usage.without(part.usage)
    costUSD = max(0, costUSD - part.costUSD)
    unpriced = max(0, unpriced - part.unpriced)
  }

  /// Counts the model call that the given event reports, or its increase.
  mutating func count(_ event: WatchedEvent) {
    calls += event.isIncrease ? 0 : 1
    if let more = event.usage { usage = usage + more }
    costUSD += event.number(.costUSD) ?? 0
    unpriced += event.unpriced
  }
}

/// A point of a counter of tokens or money.
struct UsagePoint {
  let metric: EventMetric
  let value: Double
  let isCumulative: Bool
  let model: String
  /// A digest of the counter's name and labels.
  let series: String

  /// The tool that observes the usage.
  static let tool = "hub-serve"

  /// Reads the given event; returns nil if it is not a point that counts usage.
  ///
  /// Only points that name their source count. Other programs may send such metrics beside spans.
  init?(_ event: WatchedEvent) {
    guard event.type == Metric.type, let metric = EventMetric(rawValue: event.name),
      let labels = event.labels, let value = event.value, (0...1e15).contains(value),
      labels.string(EventAttribute.usageSource.rawValue) == UsageSource.metrics.rawValue
    else { return nil }
    (self.metric, self.value) = (metric, value)
    isCumulative = labels.string(EventMetric.temporalityLabel) == EventMetric.cumulative
    model = labels.string(EventAttribute.responseModel.rawValue) ?? ""
    let text = event.name + (event.labelText ?? "")
    series = String(SHA256Digest.hexadecimal(Array(text.utf8)).prefix(24))
  }

  /// The given increase of the counter as tokens.
  func usage(_ increase: Double) -> Usage {
    let count = Int(increase)
    return switch metric {
    case .inputTokens: Usage(inputTokens: count)
    case .outputTokens: Usage(outputTokens: count)
    case .cacheReadTokens: Usage(cacheReadTokens: count)
    case .cacheWriteTokens: Usage(cacheWriteTokens: count)
    case .reasoningTokens, .costUSD: Usage()
    }
  }
}
