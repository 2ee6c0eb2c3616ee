import ArgumentParser
import Core
import Foundation
import Keys
import Processes
import Terminals

/// The code that launches a tool and ends the process.
enum Launcher {
  /// Runs the given tool, then ends the process.
  ///
  /// This must be called on the main thread, so that all threads inherit its blocked signals.
  static func launch(_ root: any ParsableCommand.Type) -> Never {
    openStandardStreams()
    Diagnostics.shared.beforePrinting { LineStart.text(of: 2) }
    let name = root.configuration.commandName ?? "agentpipes"
    guard !OwnArguments.words.isEmpty else {
      report(OwnArguments.unreadable, root, name)
      exit(OwnArguments.unreadable.exitStatus)
    }
    let interruption = Interruption()
    let signals = SignalRelay()
    let type = root as? any Tool.Type
    let handled = type?.handledSignals ?? (root as? any ToolGroup.Type)?.handledSignals ?? []
    Signals.watch(interruption, signals, others: handled)
    let command: any ParsableCommand
    SecretShape.register(in: OwnArguments.words)
    do {
      command = try root.parseAsRoot(arguments(for: root))
      guard command is any Tool else {
        var group = command
        try group.run()
        exit(EXIT_SUCCESS)
      }
    } catch {
      refuse(root, error, name)
    }
    guard let tool = command as? any Tool else { exit(EXIT_SUCCESS) }
    let session = Session(
      tool: name, options: tool.common, showsStages: tool.showsStages, interruption: interruption,
      signals: signals, writesRecords: writesRecords(root))
    let task = Task { await work(tool, session) }
    interruption.onFire { task.cancel() }
    // The work ends the process; this thread has nothing else to do.
    while true { pause() }
  }

  private static func work(_ tool: any Tool, _ session: Session) async -> Never {
    let began = Timestamp.now
    do throws(Failure) {
      try await tool.run(session)
      try session.finish()
    } catch {
      if !error.isClosedOutput { session.fail(error) }
    }
    session.diagnostics.timing("total", seconds: Timestamp.now.seconds(since: began))
    session.diagnostics.progress("")
    switch session.ending {
    case .signal(let number): Signals.die(by: number)
    case .status(let status): exit(status)
    case nil: break
    }
    if let signal = session.interruption.signal { Signals.die(by: signal) }
    exit(session.exitStatus)
  }

  /// Opens `/dev/null` for each standard stream that is closed.
  ///
  /// Otherwise, a file opened later could get the stream's descriptor number. Reading from such a
  /// stream returns the end of the file, and writing to it fails.
  private static func openStandardStreams() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
      // open(2) returns the lowest free number, which is the closed stream's.
      _ = open("/dev/null", O_RDONLY)
    }
  }

  /// Returns the arguments with omitted option values added, because the parser cannot do so.
  ///
  /// For example, `--wait` becomes `--wait=forever`.
  static func arguments(for root: any ParsableCommand.Type) -> [String] {
    let given = Array(OwnArguments.words.dropFirst())
    guard let tool = root as? any Tool.Type else { return given }
    return tool.arranged(given)
  }

  /// Prints the given text and ends the process.
  ///
  /// A full disk is reported. A reader that has closed the output is not.
  private static func printAndExit(_ text: String, _ name: String) -> Never {
    do throws(Failure) {
      try RecordWriter().write(text: text + "\n")
    } catch {
      guard !error.isClosedOutput else { exit(EXIT_SUCCESS) }
      Diagnostics.shared.configure(
        tool: name, isVerbose: false, printsTimings: false, stateDirectory: nil)
      Diagnostics.shared.report(error)
      exit(error.exitStatus)
    }
    exit(EXIT_SUCCESS)
  }

  /// Returns the given message with passwords removed from URLs.
  ///
  /// The message may repeat arguments.
  private static func withoutPasswords(_ message: String) -> String {
    let values = OwnArguments.words.flatMap { argument in
      [argument] + argument.split(separator: "=", maxSplits: 1).dropFirst().map(String.init)
    }
    return values.filter(ShownURL.mayHoldPassword).reduce(message) { text, value in
      text.replacing(value, with: ShownURL.withoutUserinfo(value))
    }
  }

  /// Returns the parser's message in this project's form: lower case at the start, no full stop.
  private static func sentence(_ message: String) -> String {
    let message = withoutPasswords(message).replacing(
      ". Please provide one of the following:", with: ": expected one of"
    )
    .replacing("one of\n  - ", with: "one of ").replacing("\n  - ", with: ", ")
    .replacing(". Please provide one of ", with: ": expected one of ")
    let words = message.hasSuffix(".") ? message.dropLast() : message[...]
    guard let first = words.first, words.dropFirst().first?.isLowercase ?? false else {
      return String(words)
    }
    return first.lowercased() + words.dropFirst()
  }

  /// Returns the help command that the last line of the parser's message contains in quotes.
  ///
  /// It is nil if the command has a placeholder, such as `<subcommand>`.
  private static func helpNamed(_ message: String) -> String? {
    let line = message.split(separator: "\n").last?.drop { $0 == " " } ?? ""
    guard line.hasPrefix("See '"), let end = line.dropFirst(5).firstIndex(of: "'") else {
      return nil
    }
    let command = line[..<line.index(after: end)].dropFirst(4)
    return command.contains("<") ? nil : String(command)
  }

  /// Reports a failure that ends the tool before it has a session.
  private static func report(
    _ failure: Failure, _ root: any ParsableCommand.Type, _ name: String
  ) {
    if isatty(1) == 0, writesRecords(root) {
      // The exit status reports the failure too, so a failed write can be ignored.
      try? RecordWriter().write(ErrorRecord(failure, tool: name))
    }
    Diagnostics.shared.configure(
      tool: name, isVerbose: false, printsTimings: false, stateDirectory: nil)
    Diagnostics.shared.report(failure.sentence)
  }

  /// Ends the process because of wrong arguments or a request for help.
  private static func refuse(
    _ root: any ParsableCommand.Type, _ error: any Error, _ name: String
  ) -> Never {
    let succeeds = root.exitCode(for: error) == .success
    let unknown = UnknownCommand(
      root, arguments(for: root), message: succeeds ? nil : root.message(for: error))
    guard !succeeds || unknown != nil else {
      printAndExit(HelpText.folded(root.fullMessage(for: error)), name)
    }
    let failure = Failure(.badUsage, unknown?.sentence ?? sentence(message(root, error)))
    report(failure, root, name)
    let help =
      unknown.map { "'\($0.group) --help'" } ?? helpNamed(root.fullMessage(for: error))
    Diagnostics.shared.report("see \(help ?? "'\(name) --help'")")
    exit(status(root, afterRefusing: failure) ?? failure.exitStatus)
  }
}
