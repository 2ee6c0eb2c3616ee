import Core
import Events
import HubClient
import Requests
import Storage

/// A source of controls (requests to pause, resume or terminate an agent) and a receiver of their
/// outcomes.
protocol AgentControls: Sendable {
  /// Reports the outcome of the given control.
  func answer(_ control: PendingControl, _ outcome: ControlOutcome)
  /// Closes the source.
  func close()
}

/// Controls that arrive from a hub.
extension HubControls: AgentControls {
  func close() { close(within: 3) }
}

/// Controls that arrive through the store of this machine.
final class StoredControls: AgentControls {
  private let events: AgentEvents
  private let note: Note
  private let post: ControlPost?

  /// Registers the agent for controls.
  ///
  /// If that fails, `note` reports it, and the command runs without controls.
  init(
    of runner: Runner, in directories: Directories, events: AgentEvents,
    inbox: Inbox<AgentMessage>, note: @escaping Note
  ) {
    self.events = events
    self.note = note
    do throws(Failure) {
      post = try ControlPost([runner], store: Store(directories), note: note) { (_, control) in
        inbox.add(.control(control))
      }
    } catch {
      post = nil
      note("the agent cannot be steered: \(error.explanation)")
    }
  }

  /// Reports the outcome of the given control.
  func answer(_ control: PendingControl, _ outcome: ControlOutcome) {
    do throws(Failure) {
      guard let event = try post?.answer(control, outcome) else { return }
      events.add(event)
    } catch {
      note("cannot answer a control: \(error.explanation)")
    }
  }

  /// Closes the source.
  func close() { post?.close() }
}
