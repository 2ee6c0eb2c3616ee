import Command
import Core
import HubClient
import HubQuestions
import Watching

extension Session {
  /// Records the given decision on each gate.
  ///
  /// A gate that was already decided is not changed.
  func decide(
    _ operands: GateOperands, _ hub: HubOptions, _ decision: Decision, reason: String?
  ) async throws(Failure) {
    guard !operands.here || hub.hub == nil else {
      throw Failure(.badUsage, "--here and --hub exclude each other")
    }
    try await Place(hub.hub, isHere: operands.here, self).steer { (steerer) throws(Failure) in
      for id in operands.ids {
        do throws(Failure) {
          let verdict = try steerer.decide(
            id, decision, by: Steering.Request(id: operands.requestId, reason: reason),
            isHere: operands.here)
          try self.end(with: verdict.failure) { () throws(Failure) in
            try self.writeIfRead { () throws(Failure) in try self.output.write(verdict.receipt) }
          }
        } catch {
          try self.goOn(after: error)
        }
      }
    }
  }
}
