import Core
import Events
import HubClient
import Requests
import Storage

/// A source of an agent's controls.
///
/// Controls are requests to pause, resume or terminate the agent. The source also receives their
/// outcomes.
protocol AgentControls: Sendable {
  /// Reports the outcome of the given control, with a sentence for a person.
  func answer(_ control: PendingControl, _ outcome: ControlOutcome, note: String?)
  /// Closes the source; no more controls arrive.
  func close()
}

extension AgentControls {
  func answer(_ control: PendingControl, _ outcome: ControlOutcome) {
    answer(control, outcome, note: nil)
  }
}

/// Controls that arrive from a hub.
extension HubControls: AgentControls {
  func close() { close(within: 3) }
}

/// A source of controls that other processes of this machine store.
final class StoredControls: AgentControls {
  private let events: AgentEvents
  private let report: NoticeHandler
  private let post: ControlPost?

  /// Registers the agent, so that it receives controls.
  ///
  /// If that fails, `report` receives the failure, and the command runs without controls.
  init(
    of runner: Runner, in directories: Directories, events: AgentEvents,
    inbox: Inbox<AgentMessage>, report: @escaping NoticeHandler
  ) {
    self.events = events
    self.report = report
    do throws(Failure) {
      post = try ControlPost([runner], store: Store(directories), report: report) { (_, control) in
        inbox.add(.control(control))
      }
    } catch {
      post = nil
      report("the agent cannot be steered: \(error.explanation)")
    }
  }

  /// Reports the outcome of the given control, with a sentence for a person.
  func answer(_ control: PendingControl, _ outcome: ControlOutcome, note: String?) {
    do throws(Failure) {
      guard let event = try post?.answer(control, outcome, note: note) else { return }
      events.add(event)
    } catch {
      report("cannot answer a control: \(error.explanation)")
    }
  }

  /// Closes the source; no more controls arrive.
  func close() { post?.close() }
}
