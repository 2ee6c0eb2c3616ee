/// A signal to a process of another program.
///
/// The process is identified again before each signal. Its handle is opened first: if the entry then
/// shows the known time of the start, the handle belongs to that process, because a process that got
/// the same id later started later.
public enum ProcessSignal {
  /// The outcome of a signal.
  public enum Outcome: Sendable, Hashable {
    /// The process received the signal.
    case sent
    /// The process has ended.
    case gone
    /// The process no longer belongs to what it was identified by, so nothing was sent.
    case refused
  }

  /// Sends a signal to the given process, and to no other one.
  ///
  /// - Parameters:
  ///   - number: The signal.
  ///   - identity: The process.
  ///   - table: The processes.
  ///   - isStill: Returns `true` if the process still belongs to what it was identified by.
  /// - Returns: The outcome.
  public static func send(
    _ number: Int32, to identity: ProcessIdentity, in table: any ProcessTable,
    if isStill: () -> Bool
  ) -> Outcome {
    guard identity.id > 1, let handle = table.handle(of: identity.id),
      let entry = table.entry(identity.id), entry.identity == identity, !entry.hasEnded
    else { return .gone }
    guard isStill() else { return .refused }
    return handle.send(number) ? .sent : .gone
  }
}
