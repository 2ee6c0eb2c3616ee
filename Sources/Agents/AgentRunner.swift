public import Core
import Events
import Foundation
public import HubClient
public import Processes
import Requests
import Storage
import Watching

/// A runner that runs a command as an agent.
///
/// It passes on the command's streams and records the command's activity in the event log. It can
/// pause, resume and terminate the command.
public struct AgentRunner {
  /// The settings of a run.
  public struct Options: Sendable {
    /// The identity of the agent.
    public var identity: AgentIdentity
    /// The interval between heartbeats, in seconds.
    public var heartbeat: Double
    /// The number of the last arguments of this process that form the command.
    public var argumentCount: Int
    /// The context size in tokens of each model, as the configuration sets it.
    public var contexts: [String: Int] = [:]
    /// The environment of the command.
    public var environment: [String: String] = [:]
    /// The hub that receives the events; nil to use the log and the store of this machine.
    public var hub: HubGroup?
    /// The maximum number of bytes of events that are stored on disk while the hub is unreachable.
    public var spoolBytes = HubOutbox.usualLimit
    /// The maximum time without output, in seconds; nil for no limit.
    public var idleTimeout: Double?
    /// The maximum time of a run of the command, in seconds; nil for no limit.
    public var totalTimeout: Double?
    /// A closure that returns `true` if the agent waits for a person.
    ///
    /// It may block. An agent that waits is not idle.
    public var isWaiting: (@Sendable () -> Bool)?
    /// The faults that make a run fail although the command ended with status 0.
    public var failOn: Set<RunFault> = []
    /// The maximum wait for the reset of a usage limit, in seconds; nil for no wait.
    public var limitWait: Double?

    /// Creates the options.
    public init(identity: AgentIdentity, heartbeat: Double, argumentCount: Int) {
      self.identity = identity
      self.heartbeat = heartbeat
      self.argumentCount = argumentCount
    }
  }

  /// The signals that a run handles in addition to those that end every tool.
  ///
  /// These are the signals of terminals and jobs, and the signals of a crash, after which the
  /// terminal must be restored.
  public static let takenSignals = [
    SIGTTOU, SIGWINCH, SIGCONT, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS,
  ]

  private let options: Options
  private let directories: Directories
  private let report: NoticeHandler
  private let fail: @Sendable (Failure) -> Void

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - options: The settings of the run.
  ///   - directories: The directories of the log and the store.
  ///   - report: A closure that receives a message about each problem that does not end the run.
  ///   - fail: A closure that receives the reason if output of the command cannot be passed on.
  public init(
    _ options: Options, _ directories: Directories, report: @escaping NoticeHandler,
    fail: @escaping @Sendable (Failure) -> Void
  ) {
    self.options = options
    self.directories = directories
    self.report = report
    self.fail = fail
  }

  /// Runs the command to its end.
  ///
  /// If the log or the store cannot be written, the command runs without being recorded.
  ///
  /// - Parameter listen: A closure that installs the given signal handler. It throws if a signal
  ///   has already arrived.
  /// - Returns: The way in which the command ended, which this process should repeat. If output of
  ///   the command could not be passed on, it is a failure status.
  /// - Throws: `Conflict` if the agent already runs; `NotFound` of the kind `noProgram` if the
  ///   command does not exist; `PermissionDenied` if it cannot be run; `StorageFailed` if a file or
  ///   pipe cannot be opened; `TerminalInitFailed` if no pseudo-terminal can be opened.
  public func run(
    listen: (@escaping @Sendable (Int32) -> Void) throws(Failure) -> Void
  ) throws(Failure) -> ProcessEnding {
    // Swift may run its threads at another priority, which a child would inherit.
    ThisProcess.useMainPriority()
    let lock = try acquireLockIfWatched()
    defer { withExtendedLifetime(lock) {} }
    let isWatched = lock != nil
    let isLocal = options.hub == nil && isWatched
    ThisProcess.adoptOrphans()
    var attempt = try CommandAttempt(report: fail)
    defer { attempt.guardian.dismiss() }
    let events = AgentEvents(
      options.identity, contexts: options.contexts, environment: options.environment,
      to: isWatched ? sink : Unwatched(report: report),
      gates: isLocal ? GateOpener(directories, report: report) : nil,
      reported: isWatched ? ReportedRun(directories) : nil)
    // The keeper closes last, so that it still processes the last events.
    var keeper: WatchKeeper?
    defer {
      events.close()
      keeper?.close()
    }
    let inbox = Inbox<AgentMessage>()
    try listen { inbox.add(.signal($0)) }
    events.began(heartbeat: options.heartbeat)
    // Controls are opened before the command starts, so that the agent can be steered at once.
    let controls = isWatched ? controls(events, inbox) : Unwatched(report: report)
    var isAgain = false
    while true {
      var loop = try start(attempt, events: events, controls: controls, inbox: inbox)
      if isLocal, keeper == nil { keeper = WatchKeeper(directories, report: report) }
      let ending = loop.run()
      loop.terminal.restore { for relay in attempt.relays { relay.terminal?.restore() } }
      // The remaining processes of the group continue to run.
      attempt.guardian.dismiss()
      let wait = isAgain ? nil : wait(after: loop, attempt, ending)
      guard var wait else {
        return finish(Outcome(of: loop, ending, attempt.fault), events, controls)
      }
      events.limited(until: wait.end)
      if let ending = wait.run() {
        return finish(Outcome(of: wait, ending), events, controls)
      }
      isAgain = true
      events.restarted()
      do throws(Failure) {
        attempt = try CommandAttempt(report: fail)
      } catch {
        failed(error, events, controls)
        throw error
      }
    }
  }

  /// Records that the command could not be run because of the given failure.
  private func failed(_ failure: Failure, _ events: AgentEvents, _ controls: any AgentControls) {
    controls.close()
    events.failed(
      failure, status: ProcessEnding(ofCommand: failure)?.status ?? failure.exitStatus)
  }

  /// Starts the command, and returns its loop.
  private func start(
    _ attempt: CommandAttempt, events: AgentEvents, controls: any AgentControls,
    inbox: Inbox<AgentMessage>
  ) throws(Failure) -> AgentLoop {
    let terminal = JobTerminal()
    let command: CommandProcess
    do throws(Failure) {
      command = try attempt.start(
        options.argumentCount, terminal: terminal, events: events, inbox: inbox)
    } catch {
      failed(error, events, controls)
      throw error
    }
    watchChildren(inbox)
    return AgentLoop(
      command: command, terminal: terminal, relays: attempt.relays, events: events,
      controls: controls, inbox: inbox, heartbeat: options.heartbeat, guardian: attempt.guardian,
      limits: CommandClock.Limits(
        idle: options.idleTimeout, total: options.totalTimeout, isWaiting: options.isWaiting),
      report: report)
  }

  /// Returns the wait for the reset of the usage limit that ended the command.
  ///
  /// It is nil if no limit ended the command, or if the reset is too far away.
  private func wait(
    after loop: AgentLoop, _ attempt: CommandAttempt, _ ending: ProcessEnding
  ) -> LimitWait? {
    guard let longest = options.limitWait, case .status = ending, !loop.isEndRequested,
      attempt.fault == nil, !attempt.output.isUnread,
      let reset = loop.events.report.limitReset
    else { return nil }
    guard reset.seconds(since: .now) <= longest else {
      report("the usage limit is reset at \(reset.iso8601), which is too late to run again")
      return nil
    }
    report("a usage limit ended the command, which runs again at \(reset.iso8601)")
    return LimitWait(
      until: reset, events: loop.events, controls: loop.controls, inbox: loop.inbox,
      heartbeat: options.heartbeat)
  }

  /// The outcome of a whole run.
  private struct Outcome {
    var ending: ProcessEnding
    let status: AgentStatus
    let terminations: [PendingControl]
    var failure: Failure?
    /// `true` if output could not be passed on, which was already reported.
    var isCut = false

    init(of loop: AgentLoop, _ ending: ProcessEnding, _ fault: Failure?) {
      (status, terminations) = (loop.status, loop.terminations)
      (self.ending, failure) = (ending, loop.clock.failure)
      isCut = fault != nil
    }

    init(of wait: LimitWait, _ ending: ProcessEnding) {
      (self.ending, status, terminations) = (ending, .terminated, wait.terminations)
    }
  }

  /// Records how the run ended, and reports the outcome of the controls that requested this.
  ///
  /// - Returns: The ending that this process should repeat.
  private func finish(
    _ outcome: Outcome, _ events: AgentEvents, _ controls: any AgentControls
  ) -> ProcessEnding {
    var (ending, status) = (outcome.ending, outcome.status)
    let faults = ending == .status(0) ? events.report.failure(for: options.failOn) : nil
    let failure = outcome.failure ?? faults
    if let failure {
      (ending, status) = (.status(failure.exitStatus), .error)
      fail(failure)
    }
    events.ended(ending, status, failure)
    if !outcome.terminations.isEmpty {
      // The log must show the new state before the outcome is reported.
      events.flush()
      for control in outcome.terminations { controls.answer(control, .applied) }
    }
    controls.close()
    // The command's core dump shows the fault; ours would not.
    if case .signal = ending { ThisProcess.leaveNoCore() }
    guard outcome.isCut, ending == .status(0) else { return ending }
    return .status(FailureCode.storageFailed.exitStatus)
  }

  /// The destination of the agent's events: a hub, or the log of this machine.
  private var sink: any EventSink {
    guard let hub = options.hub else { return EventJournal(directories, report: report) }
    return HubOutbox(hub, directories, limit: options.spoolBytes, report: report)
  }

  /// Opens the source of the agent's controls.
  private func controls(
    _ events: AgentEvents, _ inbox: Inbox<AgentMessage>
  ) -> any AgentControls {
    let agent = options.identity
    let runner = Runner(
      agentId: agent.agentId, swarmId: agent.swarmId, sessionId: agent.sessionId)
    guard let hub = options.hub else {
      return StoredControls(
        of: runner, in: directories, events: events, inbox: inbox, report: report)
    }
    return HubControls(hub, [runner], report: report) { inbox.add(.control($1)) }
  }

  /// Checks that the folder of the store and the log can be written, if they are used.
  ///
  /// - Throws: `StorageFailed` if the folder cannot be written; its message states the file and the
  ///   reason.
  private func checkPlace() throws(Failure) {
    let path = Store.path(directories)
    guard options.hub == nil, let reason = DatabasePlace(path: path).reasonAgainstWriting else {
      return
    }
    throw Failure(
      .storageFailed, "cannot write '\(path)': \(reason)", kind: .readOnly, input: path)
  }

  /// Acquires the lock that prevents other processes from running the same agent.
  ///
  /// - Returns: The lock; nil if its file cannot be written. The agent then runs unwatched.
  /// - Throws: `Conflict` if another process runs the agent.
  private func acquireLockIfWatched() throws(Failure) -> FileLock? {
    do throws(Failure) {
      try checkPlace()
      return try acquireLock()
    } catch {
      guard error.code == .storageFailed else { throw error }
      report("the command runs without events: \(error.explanation)")
      return nil
    }
  }

  private func acquireLock() throws(Failure) -> FileLock {
    let id = options.identity.agentId
    guard let lock = try FileLock.ifFree(directories.state + "/" + Runner.lock(ofAgent: id)) else {
      throw Failure(.conflict, "agent '\(id)' is already running", kind: .duplicate, input: id)
    }
    return lock
  }

  /// Reaps every child that has ended, and reports every child that has ended or stopped.
  ///
  /// Orphaned descendants also count as children.
  private func watchChildren(_ inbox: Inbox<AgentMessage>) {
    TakenChildren.begin()
    Thread.detachNewThread {
      while true {
        var status: Int32 = 0
        let process = waitpid(-1, &status, WUNTRACED | WCONTINUED)
        if process > 0 {
          // A child that stopped or continued has not ended (WIFSTOPPED and WIFCONTINUED of
          // wait(2)).
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
  /// Creates the ending that shells report if a command cannot be run.
  ///
  /// It is nil if the given failure has another cause.
  public init?(ofCommand failure: Failure) {
    switch failure.kind {
    case .noProgram: self = .status(127)
    case .notRunnable: self = .status(126)
    default: return nil
    }
  }
}

/// A message from another thread to the event loop.
enum AgentMessage: Sendable {
  /// A child ended, stopped or continued.
  ///
  /// The status is that of wait(2).
  case child(pid_t, Int32)
  case signal(Int32)
  case control(PendingControl)
  /// The search for gates of the agent ended; the flag is `true` if one is pending.
  case personIsAsked(Bool)
  /// One of the command's streams has ended, and all of it was passed on.
  case streamEnded
}

extension FailureKind {
  /// The kind of the failure if another agent with the same ID is running.
  static let duplicate = Self(rawValue: "duplicate")
}
