import Core
import Events

/// What the calls of a model used on a day, for one swarm and by way of one tool.
struct WatchedUsage: WatchedDocument {
  static let kind = "usage"
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<WatchedUsage>> { \.usages }

  var id: String
  /// UTC: `2026-02-25`.
  var day: String
  /// Empty where it is not told, or where money is of several models.
  var model: String
  /// Empty for who is in none.
  var swarm: String
  /// The tool of this toolbox that asked or watched; nil where none is told.
  var tool: String?
  var calls = 0
  var usage = Usage()
  var costUSD = 0.0
  /// How many of the calls nobody told the cost of.
  var unpriced = 0
  /// How many of them cost a part of a sum that is told of several models alone.
  var shared = 0
  var updatedAt: Int64

  /// A longer name of a model is cut.
  private static let longestName = 200

  /// Where something that happened is counted; nothing is counted yet.
  init(_ event: WatchedEvent, model: String, tool: String?) {
    day = Self.day(event.at)
    self.model = String(model.prefix(Self.longestName))
    swarm = event.swarmId ?? ""
    self.tool = tool
    // The length tells where the model ends, whatever it is called; a tool is one word, and no number.
    id = "\(day) \(tool.map { $0 + " " } ?? "")\(self.model.utf8.count) \(self.model) \(swarm)"
    updatedAt = event.at
  }

  /// The day of an instant, UTC.
  static func day(_ milliseconds: Int64) -> String {
    String(Timestamp(milliseconds).iso8601.prefix(10))
  }

  /// Counts a call in.
  mutating func count(_ event: WatchedEvent) {
    updatedAt = max(updatedAt, event.at)
    calls += 1
    if let more = event.usage { usage = usage + more }
    if let cost = event.number(.costUSD) { costUSD += cost } else { unpriced += 1 }
  }

  /// Counts money in that is told of calls which were counted without.
  mutating func add(costUSD cost: Double, at instant: Int64) {
    updatedAt = max(updatedAt, instant)
    costUSD += cost
  }

  /// The cost of some of its calls was told, alone or with that of other models' calls.
  mutating func settle(_ calls: Int, isShared: Bool) {
    unpriced = max(0, unpriced - calls)
    if isShared { shared += calls }
  }
}
