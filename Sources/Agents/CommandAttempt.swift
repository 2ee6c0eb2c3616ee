import Core
import Processes

/// One start of the command, with the relays of its streams and its guardian.
struct CommandAttempt {
  let guardian: Guardian
  let output: OutputRelay
  let errors: OutputRelay

  /// Prepares a start.
  ///
  /// - Parameter report: A closure that receives the reason if output cannot be passed on.
  /// - Throws: `StorageFailed` if the guardian or a pipe cannot be created; `TerminalInitFailed` if
  ///   no pseudo-terminal can be opened.
  init(report: @escaping @Sendable (Failure) -> Void) throws(Failure) {
    guardian = try Guardian()
    output = try OutputRelay(to: 1, report: report)
    errors = try OutputRelay(to: 2, report: report)
    guardian.learn(outputs: [output.given, errors.given])
  }

  /// The relays of the command's streams.
  var relays: [OutputRelay] { [output, errors] }
  /// The reason why output could not be passed on; nil if there is none.
  var fault: Failure? { output.fault ?? errors.fault }

  /// Starts the command, and passes on its streams.
  ///
  /// - Parameters:
  ///   - count: The number of the last arguments of this process that form the command.
  ///   - terminal: The terminal, which the command gets if this process has it.
  ///   - events: The recorder of the command's output.
  ///   - inbox: The queue that is notified of the end of each stream.
  /// - Returns: The running command.
  /// - Throws: As `CommandProcess.start`.
  func start(
    _ count: Int, terminal: JobTerminal, events: AgentEvents, inbox: Inbox<AgentMessage>
  ) throws(Failure) -> CommandProcess {
    let command: CommandProcess
    do throws(Failure) {
      command = try CommandProcess.start(
        count, output: output.given, errors: errors.given, foreground: terminal.startingTerminal,
        setsTerminal: terminal.isOurs, guardian: guardian)
    } catch {
      terminal.reclaimAfterFailure()
      throw error
    }
    output.start(
      holdingRecords: true, { events.printed($0, .output) }, finish: { inbox.add(.streamEnded) })
    errors.start(
      holdingRecords: false, { events.printed($0, .errors) }, finish: { inbox.add(.streamEnded) })
    return command
  }
}
