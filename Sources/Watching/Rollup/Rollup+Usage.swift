import Core
import Events

extension Rollup {
  /// Counts the usage of the given model call.
  ///
  /// Tokens and cost are counted for each call. If calls report no cost, as those of coding agents
  /// do, the total cost of their run is used.
  func foldUsage(_ event: WatchedEvent) throws(Failure) {
    if event.isModelCall { return try count(event) }
    guard event.isRun, event.name == EventOperation.invokeAgent.rawValue,
      let told = event.number(.costUSD), let id = event.agentId,
      let money = try state.document(WatchedAgent.self, id)?.money, let model = money.model,
      told >= money.counted
    else { return }
    for (place, calls) in money.open {
      try state.change(WatchedUsage.self, place) {
        $0.settle(calls, isShared: money.hasSeveralModels)
      }
    }
    if told > money.counted {
      let place = WatchedUsage(
        event, model: money.hasSeveralModels ? "" : model, tool: money.tool)
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
    let model = event.model ?? ""
    let place = WatchedUsage(event, model: model, tool: event.tool)
    try state.change(place.id, new: place) { $0.count(event) }
    guard let agent = event.agentId else { return }
    try state.change(WatchedAgent.self, agent) {
      var money = $0.money ?? RunMoney()
      money.count(place, costUSD: event.number(.costUSD))
      $0.money = money
    }
  }
}
