import Core
import Events
import Requests

/// The event sink and the controls of an agent that runs unwatched.
///
/// An agent runs unwatched if the log or the store cannot be written.
struct Unwatched: EventSink, AgentControls {
  let report: NoticeHandler

  func record(_ events: [EncodedEvent]) -> Int { 0 }

  func settle(within seconds: Double) -> Bool { true }

  func end(within seconds: Double) {}

  func answer(_ control: PendingControl, _ outcome: ControlOutcome, note: String?) {}

  func close() {}
}
