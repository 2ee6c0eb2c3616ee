import Core
import Events

/// What the calls of a model used on a day, for one swarm.
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
  init(_ event: WatchedEvent, model: String) {
    day = Self.day(event.at)
    self.model = String(model.prefix(Self.longestName))
    swarm = event.swarmId ?? ""
    // The length tells where the model ends, whatever it is called.
    id = "\(day) \(self.model.utf8.count) \(self.model) \(swarm)"
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

/// What the calls of an agent's run cost, where some of them do not tell it and the run does.
struct RunMoney: Codable, Sendable, Equatable {
  /// What was counted by now, in US dollars.
  var counted = 0.0
  /// How many calls have no cost yet, by what they are counted in.
  var open: [String: Int] = [:]
  /// The model of all calls that tell no cost; empty when they are of several.
  var model: String?

  /// In more places calls without a cost are not looked for.
  private static let mostOpen = 50

  /// Takes in a call that was counted in a place.
  mutating func count(_ place: WatchedUsage, costUSD cost: Double?) {
    if let cost { return counted += cost }
    model = model ?? place.model == place.model ? place.model : ""
    if open[place.id] != nil || open.count < Self.mostOpen { open[place.id, default: 0] += 1 }
  }
}

extension Rollup {
  /// Counts what a call of a model used.
  ///
  /// Tokens and money are those of calls. That of a run is their sum, and not counted once more, but
  /// for the money of a run whose calls do not tell theirs, as those of coding agents.
  func foldUsage(_ event: WatchedEvent) throws(Failure) {
    if event.isModelCall { return try count(event) }
    guard event.isRun, event.name == EventOperation.invokeAgent.rawValue,
      let told = event.number(.costUSD), let id = event.agentId,
      let money = try state.document(WatchedAgent.self, id)?.money, let model = money.model,
      told >= money.counted
    else { return }
    for (place, calls) in money.open {
      try state.change(WatchedUsage.self, place) { $0.settle(calls, isShared: model.isEmpty) }
    }
    if told > money.counted {
      let place = WatchedUsage(event, model: model)
      try state.change(place.id, new: place) {
        $0.add(costUSD: told - money.counted, at: event.at)
      }
    }
    try state.change(WatchedAgent.self, id) {
      $0.money?.open = [:]
      $0.money?.counted = told
    }
  }

  private func count(_ event: WatchedEvent) throws(Failure) {
    let model = event.attribute(.responseModel) ?? event.attribute(.requestModel) ?? ""
    let place = WatchedUsage(event, model: model)
    try state.change(place.id, new: place) { $0.count(event) }
    guard let agent = event.agentId else { return }
    try state.change(WatchedAgent.self, agent) {
      var money = $0.money ?? RunMoney()
      money.count(place, costUSD: event.number(.costUSD))
      $0.money = money
    }
  }
}
