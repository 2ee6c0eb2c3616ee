import Core
import Events

/// The usage of one model on one day, by one swarm and one tool.
struct WatchedUsage: WatchedDocument {
  static let kind = "usage"
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<WatchedUsage>> { \.usages }

  var id: String
  /// The day in UTC, such as `2026-02-25`.
  var day: String
  /// The name of the model.
  ///
  /// It is empty if it is unknown, or if a reported cost covers several models.
  var model: String
  /// The ID of the swarm; empty for calls without a swarm.
  var swarm: String
  /// The agentpipes tool that made or observed the calls; nil if unknown.
  var tool: String?
  var calls = 0
  var usage = Usage()
  var costUSD = 0.0
  /// The number of calls whose cost is unknown.
  var unpriced = 0
  /// The number of calls whose cost is known only as part of a sum for several models.
  var shared = 0
  var updatedAt: Int64

  /// The maximum number of characters of a model's name that are stored.
  private static let longestName = 200

  /// Creates an empty document for the usage that the given event reports.
  init(_ event: WatchedEvent, model: String, tool: String?) {
    day = Self.day(event.at)
    self.model = String(model.prefix(Self.longestName))
    swarm = event.swarmId ?? ""
    self.tool = tool
    // The length marks the end of the model's name, which may contain any character. A tool's name
    // is one word and never a number.
    id = "\(day) \(tool.map { $0 + " " } ?? "")\(self.model.utf8.count) \(self.model) \(swarm)"
    updatedAt = event.at
  }

  /// The tools whose calls belong to the run of a plan.
  private static let planning = ["ceo-plan", "stage-run"]

  /// `true` if the calls belong to the run of a plan.
  var isOfPlan: Bool { tool.map(Self.planning.contains) ?? false }

  /// Returns `true` if the document with the given ID counts calls of plans.
  static func isOfPlan(id: String) -> Bool {
    planning.contains { id.dropFirst(day(0).count + 1).hasPrefix($0 + " ") }
  }

  /// Returns the UTC day of the given time, in milliseconds since 1970.
  static func day(_ milliseconds: Int64) -> String {
    String(Timestamp(milliseconds).iso8601.prefix(10))
  }

  /// Counts the model call that the given event reports, or its increase.
  mutating func count(_ event: WatchedEvent) {
    updatedAt = max(updatedAt, event.at)
    calls += event.isIncrease ? 0 : 1
    if let more = event.usage { usage = usage + more }
    costUSD += event.number(.costUSD) ?? 0
    unpriced += event.unpriced
  }

  /// Subtracts usage that a better source reports too.
  mutating func remove(_ part: WatchedSpending.Part) {
    calls = max(0, calls - part.calls)
    usage = usage.without(part.usage)
    costUSD = max(0, costUSD - part.costUSD)
    unpriced = max(0, unpriced - part.unpriced)
  }

  /// Adds the increase of a counter, and changes the number of calls whose cost is unknown.
  mutating func add(
    _ point: UsagePoint, _ increase: Double, unpriced more: Int, at instant: Int64
  ) {
    updatedAt = max(updatedAt, instant)
    usage = usage + point.usage(increase)
    if point.metric == .costUSD { costUSD += increase }
    unpriced = max(0, unpriced + more)
  }

  /// Adds the cost of calls that were counted without a cost.
  mutating func add(costUSD cost: Double, at instant: Int64) {
    updatedAt = max(updatedAt, instant)
    costUSD += cost
  }

  /// Records that the cost of the given number of calls is now known.
  ///
  /// If `isShared` is `true`, it is known only as part of a sum for several models.
  mutating func settle(_ calls: Int, isShared: Bool) {
    unpriced = max(0, unpriced - calls)
    if isShared { shared += calls }
  }
}
