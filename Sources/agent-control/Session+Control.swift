import Command
import Core
import HubClient
import HubQuestions
import Requests
import Watching

extension Session {
  /// Sends the given control to agents and reports its outcome.
  func control(
    _ request: ControlRequest, _ hub: HubOptions, waiting seconds: Double
  ) async throws(Failure) {
    let receipt = try await Place(hub.hub, self).steer { (steerer) throws(Failure) in
      try steerer.send(request, waiting: seconds)
    }
    try end(with: receipt.failure) { () throws(Failure) in
      if let note = receipt.note, receipt.outcome == .applied { report(.sentence(note)) }
      try output.write(receipt)
    }
  }

  /// Returns the agent that holds the conversation with the given id, or a part of it.
  ///
  /// - Throws: `NotFound` if there is no such conversation; `BadUsage` if several match; the errors of
  ///   the query.
  func agent(ofSession id: String, _ hub: HubOptions) async throws(Failure) -> String {
    let place = try Place(hub.hub, self)
    return try await place.wait { () throws(Failure) in
      try place.lookout().outlook().context(ofSession: id).agentId
    }
  }

  /// Asks the user to confirm the given control, unless its target does not exist.
  ///
  /// - Throws: `NotFound` if the target does not exist; `PermissionDenied` if the user does not
  ///   confirm.
  func confirm(
    _ request: ControlRequest, _ hub: HubOptions, given: String?
  ) async throws(Failure) {
    let place = try Place(hub.hub, self)
    do throws(Failure) {
      if given == nil {
        try await place.steer { (steerer) throws(Failure) in
          try steerer.find(request.target, request.id)
        }
      }
      try Confirmation(self).request(
        word: "TERMINATE", given: given,
        "This terminates \(request.target.rawValue) '\(request.id)' for good.")
    } catch {
      try await place.steer { [error] (steerer) throws(Failure) in
        try steerer.record(request, refused: error)
      }
      throw error
    }
  }
}
