import Core
import Events
import HubClient
import Requests
import Storage

/// The controls that come for an agent, and the answers to them.
protocol AgentControls: Sendable {
  /// Tells what came of a control.
  func answer(_ control: PendingControl, _ outcome: ControlOutcome)
  /// Ends it.
  func close()
}

/// The controls that come from a hub.
extension HubControls: AgentControls {
  func close() { close(within: 3) }
}

/// The controls that come by the store of this machine.
final class StoredControls: AgentControls {
  private let events: AgentEvents
  private let note: Note
  private let post: ControlPost?

  /// Lets the agent be steered; where that cannot be, it is told, and the command runs all the same.
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

  /// Tells what came of a control.
  func answer(_ control: PendingControl, _ outcome: ControlOutcome) {
    do throws(Failure) {
      guard let event = try post?.answer(control, outcome) else { return }
      events.add(event)
    } catch {
      note("cannot answer a control: \(error.explanation)")
    }
  }

  /// Ends it.
  func close() { post?.close() }
}
