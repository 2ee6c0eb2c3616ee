public import Core
import Events
import Foundation
public import HubClient
public import Processes
import Requests
import Storage
import Watching

/// Runs a command as an agent: its streams are passed on, what it does is told to the event log, and
/// it can be paused, resumed and terminated.
public struct AgentRunner {
  /// What is to be run, and as whom.
  public struct Options: Sendable {
    /// Who the agent is.
    public var identity: AgentIdentity
    /// After how many seconds it is told that the agent still runs.
    public var heartbeat: Double
    /// How many of the last arguments of this process are the command.
    public var argumentCount: Int
    /// How many tokens the contexts of models hold, by name, where the configuration says so.
    public var contexts: [String: Int] = [:]
    /// The hub that is told, in place of the log and the store of this machine; nil for those.
    public var hub: HubPeer?
    /// How many bytes of events may wait on disk for that hub.
    public var spoolBytes = HubOutbox.usualLimit

    /// Creates the options.
    public init(identity: AgentIdentity, heartbeat: Double, argumentCount: Int) {
      self.identity = identity
      self.heartbeat = heartbeat
      self.argumentCount = argumentCount
    }
  }

  /// Signals that a run takes beside those that end every tool: those of terminals and jobs, and those
  /// that say that a process has crashed, which would leave the terminal as the command made it.
  public static let takenSignals = [
    SIGTTOU, SIGWINCH, SIGCONT, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS,
  ]

  private let options: Options
  private let directories: Directories
  private let note: Note
  private let report: @Sendable (Failure) -> Void

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - options: What is to be run, and as whom.
  ///   - directories: Where the log and the store are.
  ///   - note: Is given a sentence on what went wrong and does not end the run.
  ///   - report: Is told why the command's output cannot be passed on.
  public init(
    _ options: Options, _ directories: Directories, note: @escaping Note,
    report: @escaping @Sendable (Failure) -> Void
  ) {
    self.options = options
    self.directories = directories
    self.note = note
    self.report = report
  }

  /// Runs the command to its end.
  ///
  /// If files of ours cannot be written, the command runs unwatched.
  ///
  /// - Parameter listen: Is handed what takes the signals from then on; throws when one came before.
  /// - Returns: How the command ended, which is how this process is to end, or that its output could
  ///   not be passed on.
  /// - Throws: `Conflict` when the agent runs already, `NotFound` of the kind `noProgram`,
  ///   `PermissionDenied` when the command cannot be run; `StorageFailed`, `TerminalInitFailed`.
  public func run(
    listen: (@escaping @Sendable (Int32) -> Void) throws(Failure) -> Void
  ) throws(Failure) -> ProcessEnding {
    // Swift runs its threads at a priority of its own where it may; a child would inherit that.
    ThisProcess.useMainPriority()
    let lock = try takeLockIfWatched()
    defer { withExtendedLifetime(lock) {} }
    let isWatched = lock != nil
    let isLocal = options.hub == nil && isWatched
    ThisProcess.adoptOrphans()
    let guardian = try Guardian()
    defer { guardian.dismiss() }
    let output = try OutputRelay(to: 1, report: report)
    let errors = try OutputRelay(to: 2, report: report)
    guardian.learn(outputs: [output.given, errors.given])
    let events = AgentEvents(
      options.identity, contexts: options.contexts,
      to: isWatched ? sink : Unwatched(note: note),
      gates: isLocal ? GateOpener(directories, note: note) : nil)
    // What the last events come to is known when this process has ended.
    var keeper: WatchKeeper?
    defer {
      events.close()
      keeper?.close()
    }
    let inbox = Inbox<AgentMessage>()
    try listen { inbox.add(.signal($0)) }
    events.began(heartbeat: options.heartbeat)
    // Before the command: whoever sees it work may steer it.
    let controls = isWatched ? controls(events, inbox) : Unwatched(note: note)
    let terminal = JobTerminal()
    let command: CommandProcess
    do throws(Failure) {
      command = try CommandProcess.start(
        options.argumentCount, output: output.given, errors: errors.given,
        foreground: terminal.startingTerminal, setsTerminal: terminal.isOurs, guardian: guardian)
    } catch {
      terminal.takeBackAfterFailure()
      controls.close()
      events.failed(error, status: error.kind == .noProgram ? 127 : 126)
      throw error
    }
    output.start(
      holdingRecords: true, { events.printed($0, .output) }, finish: { inbox.add(.streamEnded) })
    errors.start(
      holdingRecords: false, { events.printed($0, .errors) }, finish: { inbox.add(.streamEnded) })
    watchChildren(inbox)
    if isLocal { keeper = WatchKeeper(directories, note: note) }
    var loop = AgentLoop(
      command: command, terminal: terminal, relays: [output, errors], events: events,
      controls: controls, inbox: inbox, heartbeat: options.heartbeat, guardian: guardian, note: note
    )
    let ending = loop.run()
    terminal.restore { for relay in [output, errors] { relay.terminal?.restore() } }
    // What is left of the group is left alone.
    guardian.dismiss()
    tell(ending, of: loop, events, controls)
    guard output.fault ?? errors.fault != nil, ending == .status(0) else { return ending }
    return .status(FailureCode.storageFailed.exitStatus)
  }

  /// Tells how the command ended, and those who asked for it.
  private func tell(
    _ ending: ProcessEnding, of loop: AgentLoop, _ events: AgentEvents,
    _ controls: any AgentControls
  ) {
    events.ended(ending, loop.status)
    if !loop.terminations.isEmpty {
      // Who sees the answer finds the log telling the same.
      events.flush()
      for control in loop.terminations { controls.answer(control, .applied) }
    }
    controls.close()
    // The command's core tells what went wrong, ours nothing.
    if case .signal = ending { ThisProcess.leaveNoCore() }
  }

  /// Where what the agent does is told.
  private var sink: any EventSink {
    guard let hub = options.hub else { return EventJournal(directories, note: note) }
    return HubOutbox(hub, directories, limit: options.spoolBytes, note: note)
  }

  /// What the agent is asked, and by whom.
  private func controls(
    _ events: AgentEvents, _ inbox: Inbox<AgentMessage>
  ) -> any AgentControls {
    let agent = options.identity
    let runner = Runner(
      agentId: agent.agentId, swarmId: agent.swarmId, sessionId: agent.sessionId)
    guard let hub = options.hub else {
      return StoredControls(of: runner, in: directories, events: events, inbox: inbox, note: note)
    }
    return HubControls(hub, [runner], note: note) { inbox.add(.control($1)) }
  }

  /// Checks that the store can be written, if it is to hold what the agent does; the log is beside it.
  ///
  /// - Throws: `StorageFailed` that names the file and the reason.
  private func checkPlace() throws(Failure) {
    let path = Store.path(directories)
    guard options.hub == nil, let reason = DatabasePlace(path: path).reasonAgainstWriting else {
      return
    }
    throw Failure(
      .storageFailed, "cannot write '\(path)': \(reason)", kind: .readOnly, input: path)
  }

  /// Makes sure that no other process runs the agent.
  ///
  /// - Returns: Nil if the agent runs unwatched because its files cannot be written.
  /// - Throws: `Conflict`.
  private func takeLockIfWatched() throws(Failure) -> FileLock? {
    do throws(Failure) {
      try checkPlace()
      return try takeLock()
    } catch {
      guard error.code == .storageFailed else { throw error }
      note("the command runs without events: \(error.explanation)")
      return nil
    }
  }

  private func takeLock() throws(Failure) -> FileLock {
    let id = options.identity.agentId
    guard let lock = try FileLock.ifFree(directories.state + "/" + Runner.lock(ofAgent: id)) else {
      throw Failure(.conflict, "agent '\(id)' is already running", kind: .duplicate, input: id)
    }
    return lock
  }

  /// Takes every child that ends or stops: the command, and orphans of its descendants.
  private func watchChildren(_ inbox: Inbox<AgentMessage>) {
    TakenChildren.begin()
    Thread.detachNewThread {
      while true {
        var status: Int32 = 0
        let process = waitpid(-1, &status, WUNTRACED | WCONTINUED)
        if process > 0 {
          // Not one that has stopped or goes on: as WIFSTOPPED and WIFCONTINUED of wait(2).
          if status != 0xFFFF, status & 0xFF != 0x7F { TakenChildren.note(process, status) }
          inbox.add(.child(process, status))
        } else if errno != EINTR {
          return
        }
      }
    }
  }
}

extension ProcessEnding {
  /// How this process is to end whose command could not be run, as shells tell of one that is not
  /// there, and of one that cannot be run; nil for another failure.
  public init?(ofCommand failure: Failure) {
    switch failure.kind {
    case .noProgram: self = .status(127)
    case .notRunnable: self = .status(126)
    default: return nil
    }
  }
}

/// What a run is told by its threads.
enum AgentMessage: Sendable {
  /// A child ended, stopped or goes on, as wait(2) tells it.
  case child(pid_t, Int32)
  case signal(Int32)
  case control(PendingControl)
  /// A stream of the command was passed on to its end.
  case streamEnded
}

extension FailureKind {
  /// An agent of the name runs already.
  static let duplicate = Self(rawValue: "duplicate")
}
