import Asking
import CodingAgents
public import Core

extension ChatStore {
  /// Returns the usage of all answers, grouped by the given aspect.
  ///
  /// Days are in order; other groups begin with the largest sum. All requests for an answer count
  /// as one call. Answers count even if they were deleted or never stored, but not if no request
  /// was sent for them. A request that never ended has an unknown cost. A call of an imported
  /// session, which states no cost, has the price that adopted sessions have.
  ///
  /// - Parameters:
  ///   - aspect: The aspect of the groups: day in UTC, model, tool, project, session or run. Chats
  ///     have no swarms. The session of an answer is its chat; only imported sessions have a run.
  ///   - since: A time on the first day that is included; nil for all days.
  ///   - watched: Sums from the event log by the same aspect, to be added, and the sessions that
  ///     they include, each with its first day. Plans, and what the log has of imported sessions,
  ///     are then omitted.
  /// - Returns: The sums.
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func usage(
    by aspect: UsageSum.Aspect, since: Timestamp? = nil,
    beside watched: (sums: [UsageSum], sessions: [String: String])? = nil
  ) throws(Failure) -> [UsageSum] {
    var sums = UsageSums(by: aspect)
    sums.add(watched?.sums ?? [])
    let calls = try self.calls(sinceDayOf: since).filter { $0.isUnsent != true }
    let sessions = try sessions(of: calls)
    for calls in Dictionary(grouping: calls, by: \.owner.answerId).values {
      guard let first = calls.first, let last = calls.last else { continue }
      let session = first.owner.answerId.flatMap { sessions[$0] } ?? ""
      let day = String(first.startedAt.iso8601.prefix(10))
      if let watched {
        guard last.owner.tool != Call.Owner.planner,
          last.agent == nil || !(watched.sessions[session].map { $0 <= day } ?? false)
        else { continue }
      }
      let spending = calls.reduce(into: Spending()) { $0.add($1.priced) }
      let key =
        switch aspect {
        case .day: day
        case .model: last.model
        case .project: last.owner.projectId ?? ""
        case .tool: last.owner.tool ?? ""
        case .session: session
        case .run: last.agent.map { "\($0.rawValue)-\(session)" } ?? ""
        case .swarm: ""
        }
      sums.add(
        key, calls: 1, spending.usage, costUSD: spending.costUSD, known: spending.knownCostUSD)
    }
    let records = sums.records
    return aspect == .project || aspect == .session && watched == nil
      ? try named(records) : records
  }

  /// Returns the session of each answer, by the answer's id: the id of its chat, or of the imported
  /// session.
  ///
  /// Earlier versions stored no session with a call. It is then that of the answer, unless the
  /// answer was deleted.
  private func sessions(of calls: [Call]) throws(Failure) -> [String: String] {
    try read { tables in
      var sessions: [String: String] = [:]
      for owner in calls.map(\.owner) {
        guard let id = owner.answerId, sessions[id] == nil else { continue }
        if let session = owner.sessionId {
          sessions[id] = session
        } else if let chatId = try tables.chat(ofTurn: id) {
          sessions[id] = try tables.chat(chatId)?.session ?? chatId
        }
      }
      return sessions
    }
  }

  /// Returns the given sums with the names of their projects, or with the titles of their chats.
  private func named(_ records: [UsageSum]) throws(Failure) -> [UsageSum] {
    try read { tables in
      try records.map { record in
        var record = record
        record.name =
          record.by == .project
          ? try tables.project(record.key)?.name : try tables.chat(record.key)?.title
        return record
      }
    }
  }
}

extension Call {
  /// The program whose session contained the call; nil if the call was not imported.
  fileprivate var agent: CodingAgent? { owner.tool.flatMap(CodingAgent.init) }

  /// The call with the catalogue's price, if it was imported without a cost.
  fileprivate var priced: Call {
    guard let provider = agent?.provider else { return self }
    var call = self
    call.price(of: provider)
    return call
  }
}
