import Command
import Core
import Events
import Foundation
import Watching

extension Session {
  /// Asks agents for something and waits for the effect.
  func control(_ action: ControlAction, _ options: ControlOptions) throws(Failure) {
    let store = try Store(directories)
    let journal = try EventJournal(opening: directories)
    // What is there before the question is asked wakes the waiting afterwards.
    let changes = try FileWatch(folder: directories.data, interruption: interruption)
    do throws(Failure) {
      try Watcher(store: store, journal: journal).catchUp()
    } catch {
      // Who steers does so all the same.
      diagnostics.say("events are not taken in: \(error.explanation)")
    }
    let request = ControlRequest(
      requestId: options.requestId ?? Identifier.make(), target: options.target, id: options.id,
      action: action, reason: options.reason)
    let asked = try store.ask(
      request, standing: try Standing(store).status(options.target, options.id),
      directories: directories, limits: try configuration().limits)
    let receipt = try settled(asked, store, changes, seconds: options.wait.value)
    if !receipt.replayed, [.refused, .unreachable].contains(receipt.outcome) {
      try journal.append([Control(receipt)])
    }
    try output.write(receipt)
    if let failure = receipt.failure { throw failure }
  }

  /// Keeps in the audit that something was asked and not confirmed.
  func note(
    _ action: ControlAction, _ options: ControlOptions, refused failure: Failure
  ) throws(Failure) {
    try Store(directories).note(
      AuditEntry(
        ts: Timestamp.now.milliseconds, target: options.target == .agent ? .agent : .swarm,
        id: options.id, action: action.rawValue,
        requestId: options.requestId ?? Identifier.make(), actor: LoginName.current,
        reason: options.reason, outcome: failure.code.rawValue))
  }

  /// The receipt once it is settled, or as it is when the time is up.
  private func settled(
    _ asked: ControlReceipt, _ store: Store, _ changes: FileWatch, seconds: Double
  ) throws(Failure) -> ControlReceipt {
    var receipt = asked
    let end = Timestamp.now.adding(seconds: seconds)
    while receipt.outcome == .accepted {
      let left = end.seconds(since: .now)
      guard left > 0 else { break }
      _ = try changes.hasChanged(within: Int32(min(left * 1000 + 1, 3_600_000)))
      receipt.outcome = try store.receipt(receipt.requestId)?.outcome ?? receipt.outcome
    }
    guard receipt.outcome == .accepted else { return receipt }
    // Who was to answer may be gone meanwhile.
    receipt.outcome =
      try store.settle(receipt.requestId, directories: directories)?.outcome ?? receipt.outcome
    return receipt
  }
}

extension ControlReceipt {
  /// Why it did not come to what was asked; nil when it did.
  fileprivate var failure: Failure? {
    let name = "\(target.rawValue) '\(id)'"
    return switch outcome {
    case .applied: nil
    case .accepted:
      Failure(.notAnswered, "\(name) has not answered yet", input: id)
    case .refused:
      Failure(.conflict, "\(name) cannot \(action.rawValue): it is done already", input: id)
    case .unreachable:
      Failure(.agentUnreachable, "no process runs \(name) any more", input: id)
    }
  }
}

extension Control {
  /// What was asked and could not be done, as the log tells it.
  fileprivate init(_ receipt: ControlReceipt) {
    self.init(
      ts: receipt.ts, requestId: receipt.requestId, target: receipt.target,
      action: receipt.action, reason: receipt.reason, actor: receipt.actor,
      outcome: receipt.outcome)
    head.srcId = "control:\(receipt.requestId):"
    head.swarmId = receipt.target == .swarm ? receipt.id : nil
    head.agentId = receipt.target == .agent ? receipt.id : nil
  }
}
