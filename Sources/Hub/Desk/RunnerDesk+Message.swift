import Core
import HubWords

extension RunnerDesk {
  /// A message to an agent.
  enum Message: Sendable {
    /// A control for the agent.
    case control(PendingControl)
    /// The state of one of the agent's gates.
    case gate(GateAnswer)
    /// A sign of life.
    case beat
  }
}
