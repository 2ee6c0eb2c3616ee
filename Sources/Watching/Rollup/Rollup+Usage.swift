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
      // Sums of binary fractions depend on their order.
      told >= money.counted - RunMoney.noise
    else { return }
    let hasMore = told > money.counted + RunMoney.noise
    for (place, calls) in money.open {
      try state.change(WatchedUsage.self, place) {
        $0.settle(calls, isShared: money.hasSeveralModels && hasMore)
      }
    }
    if hasMore {
      let place = WatchedUsage(
        event, model: money.hasSeveralModels ? "" : model, tool: money.tool)
      try state.change(place.id, new: place) {
        $0.add(costUSD: told - money.counted, at: event.at)
      }
      try state.change(WatchedSpending.self, event.sessionId ?? id) {
        $0.change(place) { $0.costUSD += told - money.counted }
      }
    }
    try state.change(WatchedSpending.self, event.sessionId ?? id) { $0.settle(money.open) }
    try state.change(WatchedAgent.self, id) {
      $0.money?.open = [:]
      $0.money?.counted = told
    }
  }

  private func count(_ event: WatchedEvent) throws(Failure) {
    let model = event.model ?? ""
    let place = WatchedUsage(event, model: model, tool: event.tool)
    let cost = event.number(.costUSD)
    if var spending = try spending(of: event) {
      guard try admits(event.usageSource, &spending) else { return }
      spending.change(place) { $0.count(event) }
      state.set(spending)
      try show(spending)
    }
    try state.change(place.id, new: place) { $0.count(event) }
    guard event.usageSource == .transcript, let agent = event.agentId else { return }
    if let session = event.agentSession, session != event.sessionId {
      // The run's calls count under its own ID. The telemetry of the same calls has the agent's.
      var telemetry =
        try state.document(WatchedSpending.self, session)
        ?? WatchedSpending(id: session, agentId: agent, updatedAt: event.at)
      if telemetry.source != .transcript {
        let began = try state.document(WatchedAgent.self, agent)?.startedAt ?? 0
        // Earlier usage of the session is no part of this run.
        if telemetry.updatedAt < began {
          telemetry.source = .transcript
        } else {
          _ = try admits(.transcript, &telemetry)
        }
        state.set(telemetry)
      }
    }
    guard cost != nil || event.unpriced > 0 else { return }
    try state.change(WatchedAgent.self, agent) {
      var money = $0.money ?? RunMoney()
      money.count(place, costUSD: cost)
      $0.money = money
    }
  }

  /// Counts the usage by which the given counter of a coding agent grew.
  func count(_ point: UsagePoint, of event: WatchedEvent) throws(Failure) {
    guard var spending = try spending(of: event), try admits(.metrics, &spending) else { return }
    let increase = spending.increase(point)
    guard increase > 0 || point.metric == .costUSD else { return state.set(spending) }
    let place = WatchedUsage(event, model: point.model, tool: UsagePoint.tool)
    var used = try state.document(WatchedUsage.self, place.id) ?? place
    spending.change(place) { part in
      let unpriced = part.unpriced
      part.usage = part.usage + point.usage(increase)
      if point.metric == .costUSD {
        part.costUSD += increase
        (part.hasCost, part.unpriced) = (true, 0)
      } else if !(part.hasCost ?? false) {
        // The tokens count as one call of unknown cost, until a counter of money reports.
        part.unpriced = 1
      }
      used.add(point, increase, unpriced: part.unpriced - unpriced, at: event.at)
    }
    state.set(spending)
    state.set(used)
    try show(spending)
  }

  private func spending(of event: WatchedEvent) throws(Failure) -> WatchedSpending? {
    guard let agent = event.agentId else { return nil }
    let id = event.sessionId ?? agent
    return try state.document(WatchedSpending.self, id)
      ?? WatchedSpending(id: id, agentId: agent, updatedAt: event.at)
  }

  /// Returns `true` if the given source's reports of the conversation count.
  ///
  /// If the source is better than the earlier one, the earlier one's reports no longer count.
  private func admits(
    _ source: UsageSource, _ spending: inout WatchedSpending
  ) throws(Failure) -> Bool {
    if let known = spending.source, known != source {
      guard source > known else { return false }
      for (place, part) in spending.parts {
        try state.change(WatchedUsage.self, place) { $0.remove(part) }
      }
      (spending.parts, spending.series) = ([:], [:])
      if source == .transcript {
        try state.change(WatchedAgent.self, spending.agentId) {
          if $0.observed != nil { $0.observe(nil) }
        }
      }
    }
    spending.source = source
    return true
  }

  /// Sets the usage of an agent that reports no run.
  private func show(_ spending: WatchedSpending) throws(Failure) {
    guard let source = spending.source, source < .transcript else { return }
    let total = spending.total(since: "")
    try state.change(WatchedAgent.self, spending.agentId) {
      $0.observe(total)
      $0.sessionId = spending.id
    }
  }
}
