public import Core

extension Session {
  /// Tells the event log how a gate stands; each state of it is there once, whoever tells it.
  ///
  /// A log that cannot be written is told on stderr: what was decided is in the store.
  public func tell(_ gate: ApprovalGate) {
    do throws(Failure) {
      try EventLog(directories).append([gate.event])
    } catch {
      diagnostics.say("events are not kept: \(error.explanation)")
    }
  }
}
