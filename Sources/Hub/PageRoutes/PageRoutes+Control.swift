import Core
import HTTP
import Pages
import Requests

/// The form that controls agents.
extension PageRoutes {
  /// The word that confirms the end of an agent.
  private static let confirmation = "TERMINATE"
  /// The longest time for which the answer to a form waits for the outcome of its control.
  private static let patience = Duration.seconds(5)

  /// Sends the control of the given form, waits for its outcome, and leads to its view.
  ///
  /// If no outcome comes in time, the view says so.
  ///
  /// - Throws: `BadInput` if the form is invalid; the errors of ``SteeringRoutes/control(_:)``.
  func control(
    _ target: ControlTarget, _ request: HubRequest, _ fields: [String: String]
  ) async throws(Failure) -> HubAnswer {
    let id = try request.part(target.rawValue + "Id")
    guard let action = fields["action"].flatMap(ControlAction.init(rawValue:)) else {
      throw Failure(
        .badInput, "'action' must be pause, resume or terminate", input: "action")
    }
    if action == .terminate, fields["confirmation"] != Self.confirmation {
      throw Failure(
        .badInput, "not confirmed", status: 422, input: "confirmation",
        nextStep: "type \(Self.confirmation)")
    }
    var receipt = try await steering.control(
      ControlRequest(
        requestId: fields["requestId"] ?? Identifier.make(), target: target, id: id, action: action,
        reason: fields["reason"] ?? "", actor: request.actor, deviceId: request.visitor?.deviceId))
    let end = ContinuousClock.now + Self.patience
    var backoff = Backoff(first: 0.02, longest: 0.32)
    while receipt.outcome == .accepted, .now < end, !live.feed.isEnding() {
      backoff.grow()
      do {
        try await Task.sleep(for: .seconds(backoff.seconds))
        receipt = try await steering.receipt(receipt.requestId)
      } catch {
        // The control is stored, so its view tells more than the failure of this wait.
        break
      }
    }
    return PageAnswer.seeing(HTMLAddress("controls", receipt.requestId))
  }
}
