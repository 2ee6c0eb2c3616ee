/// What the calls of an agent's run cost, where some of them do not tell it and the run does.
struct RunMoney: Codable, Sendable, Equatable {
  /// What was counted by now, in US dollars.
  var counted = 0.0
  /// How many calls have no cost yet, by what they are counted in.
  var open: [String: Int] = [:]
  /// The model of the first call that tells no cost; nil before that.
  var model: String?
  /// The tool of that call.
  var tool: String?
  /// Whether such calls are of several models.
  var hasSeveralModels = false

  /// In more places calls without a cost are not looked for.
  private static let mostOpen = 50

  /// Takes in a call that was counted in a place.
  mutating func count(_ place: WatchedUsage, costUSD cost: Double?) {
    if let cost { return counted += cost }
    if model == nil { (model, tool) = (place.model, place.tool) }
    if model != place.model { hasSeveralModels = true }
    if open[place.id] != nil || open.count < Self.mostOpen { open[place.id, default: 0] += 1 }
  }
}
