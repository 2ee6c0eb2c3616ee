/// The cost of a run's calls, for runs that report a cost which some of their calls do not.
struct RunMoney: Codable, Sendable, Equatable {
  /// The cost that is counted so far, in US dollars.
  var counted = 0.0
  /// The number of calls without a cost, by the document that counts them.
  var open: [String: Int] = [:]
  /// The model of the first call without a cost; nil before that.
  var model: String?
  /// The tool of that call.
  var tool: String?
  /// `true` if calls without a cost used several models.
  var hasSeveralModels = false

  /// The maximum number of documents in which calls without a cost are tracked.
  private static let mostOpen = 50

  /// Adds a call that a document counts.
  mutating func count(_ place: WatchedUsage, costUSD cost: Double?) {
    if let cost { return counted += cost }
    if model == nil { (model, tool) = (place.model, place.tool) }
    if model != place.model { hasSeveralModels = true }
    if open[place.id] != nil || open.count < Self.mostOpen { open[place.id, default: 0] += 1 }
  }
}
