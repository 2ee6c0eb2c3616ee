public import Core
public import Display
import Foundation
public import Keys
public import Processes
import Synchronization

/// One run of a tool, with its input, output, configuration and failures.
public final class Session: Surroundings {
  /// The tool's name.
  public let tool: String
  /// The process's environment.
  public let environment: [String: String]
  /// The folders of the tool's files.
  public let directories: Directories
  /// The writer of the tool's output records.
  public let output: RecordWriter
  /// The interruption that ends the process.
  public let interruption: Interruption
  /// The relay of signals to a tool that handles signals itself.
  public let signals: SignalRelay
  /// The printer of messages to stderr.
  public let diagnostics = Diagnostics.shared

  private let face: SessionFace?
  private let writesRecords: Bool
  private let statuses = Mutex<Set<Int32>>([])
  private let chosenEnding = Mutex<ProcessEnding?>(nil)
  /// The styles that are used for text on stdout.
  public let palette: Palette

  init(
    tool: String, options: CommonOptions, showsStages: Bool, interruption: Interruption,
    signals: SignalRelay, writesRecords: Bool
  ) {
    self.tool = tool
    self.interruption = interruption
    self.signals = signals
    self.writesRecords = writesRecords
    environment = ProcessInfo.processInfo.environment
    directories = Directories(environment: environment)
    palette = Palette(options.color, isTerminal: isatty(1) == 1, environment: environment)
    let isText = options.text || (isatty(1) == 1 && !options.json)
    let face =
      isText
      ? SessionFace(palette, environment: environment, showsResults: !showsStages) : nil
    self.face = face
    output = RecordWriter(rendering: face.map(Self.rendering))
    diagnostics.configure(
      tool: tool, isVerbose: options.verbose, printsTimings: options.timings,
      stateDirectory: directories.state)
  }

  private static func rendering(_ face: SessionFace) -> RecordWriter.Rendering {
    { (record) throws(Failure) in
      try face.show(record)
      return nil
    }
  }

  /// Returns a reader of records from stdin.
  ///
  /// If stdin is a terminal, a hint that the tool waits for input is printed.
  public func input() -> RecordReader {
    reportWaiting()
    return RecordReader(LineReader(interruption: interruption))
  }

  /// Prints a hint that the tool waits for input, if stdin is a terminal.
  public func reportWaiting() {
    guard isatty(0) == 1, diagnostics.isTerminal else { return }
    diagnostics.report("reading from the terminal; press Ctrl-D to end")
  }

  /// `true` if stdout is a terminal.
  public var isOnTerminal: Bool { isatty(1) == 1 }

  /// Prints the given sentence if stdin has data, because the tool will not read them.
  public func reportUnread(_ sentence: String) {
    var count: Int32 = 0
    if isatty(0) == 0, ioctl(0, UInt(FIONREAD), &count) == 0, count > 0 {
      diagnostics.report(sentence)
    }
  }

  /// Reports the given failure as an `error` record, as a line on stderr, and in the exit status.
  public func fail(_ failure: Failure) {
    remember(failure)
    guard failure.code != .interrupted else { return }
    diagnostics.report(failure)
    // If the error record cannot be written, only the exit status can report that.
    do {
      if output.isNDJSON, writesRecords { try output.write(ErrorRecord(failure, tool: tool)) }
    } catch {
      if error.code != .interrupted { remember(error) }
    }
  }

  /// Reports the given failure and lets the tool continue, unless the process was interrupted.
  ///
  /// - Throws: The given failure if the process was interrupted.
  public func goOn(after failure: Failure) throws(Failure) {
    guard failure.code != .interrupted else { throw failure }
    fail(failure)
  }

  /// Reports the given notice from a library.
  public func report(_ notice: Notice) { diagnostics.report(notice) }

  /// Runs the given work.
  ///
  /// Meanwhile, the progress is redrawn once a second on a terminal.
  public func showingProgress<Value>(_ work: () async throws(Failure) -> Value)
    async throws(Failure) -> Value
  {
    guard let face, isOnTerminal else { return try await work() }
    let ticker = Task {
      while (try? await Task.sleep(for: .seconds(1))) != nil { try? face.redraw() }
    }
    defer { ticker.cancel() }
    return try await work()
  }

  /// Makes the exit status reflect the given failure, without reporting the failure.
  public func remember(_ failure: Failure) {
    // Work that ends early because nobody reads its output has not failed.
    let isUnread = output.readerIsGone || face?.readerIsGone ?? false
    guard failure.code != .interrupted || !isUnread else { return }
    statuses.withLock { _ = $0.insert(failure.exitStatus) }
  }

  /// Writes the given complete list of records, with the names of their machines if there are
  /// several.
  ///
  /// On a terminal, they are written as tables.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - host: The name of the machine whose records name none; nil if it is unknown.
  /// - Throws: As `RecordWriter.write`.
  public func write(_ records: [any StreamRecord], from host: String?) throws(Failure) {
    face?.set(host: host)
    try write(records)
  }

  /// Writes the given complete list of records.
  ///
  /// On a terminal, they are written as tables.
  ///
  /// - Throws: As `RecordWriter.write`.
  public func write(_ records: [any StreamRecord]) throws(Failure) {
    if let face {
      if records.isEmpty, isOnTerminal { diagnostics.report("there is nothing to show") }
      return try face.show(list: records)
    }
    for record in records { try output.write(record) }
  }

  /// Writes a record that another tool produced.
  ///
  /// On a terminal, it has the form that its tool uses. An `error` record changes the exit status.
  ///
  /// - Throws: As `RecordWriter.write`.
  public func passOn(_ record: RawRecord) throws(Failure) {
    if record.type == ErrorRecord.type { rememberError() }
    if let face { try face.show(passing: record) } else { try output.write(record) }
  }

  /// Makes the exit status reflect an `error` record of another tool.
  public func rememberError() {
    statuses.withLock { _ = $0.insert(1) }
  }

  /// Makes this process end in the given way, in which another process ended.
  ///
  /// Failures then do not change the exit status.
  public func end(as ending: ProcessEnding) {
    chosenEnding.withLock { $0 = ending }
  }

  /// Shows the output that was held back until it could no longer change.
  ///
  /// - Throws: As `RecordWriter.write`.
  func finish() throws(Failure) { try face?.finish() }

  /// The ending that replaces the exit status; nil if the exit status applies.
  var ending: ProcessEnding? { chosenEnding.withLock { $0 } }

  /// The exit status of the tool.
  ///
  /// It is 0 if there were no failures. If all failures have the same status, it is that status;
  /// otherwise it is 1.
  var exitStatus: Int32 {
    statuses.withLock { $0.count > 1 ? 1 : $0.first ?? 0 }
  }

  /// Reads the configuration from `config.toml`, with the models that `model-list` added and the
  /// servers that `tool-call` added.
  ///
  /// Settings that no tool knows are reported once on stderr.
  ///
  /// - Throws: `BadConfiguration` if the configuration is invalid; the failure names the line.
  public func configuration() throws(Failure) -> Settings {
    let path = directories.config + "/config.toml"
    let own = try ConfigurationFile.read(path, reportsUnknown: true) ?? Settings()
    let withModels = try ModelsFile(directories).completing(own, reportsUnknown: true)
    return try ToolsFile(directories).completing(withModels, reportsUnknown: true)
  }

  /// The file that contains the models that `model-list` added.
  public var addedModels: ModelsFile { ModelsFile(directories) }

  /// The file of the servers that `tool-call` added.
  public var addedTools: ToolsFile { ToolsFile(directories) }

  /// Returns the store of secrets for the given configuration.
  public func keys(_ configuration: Settings) -> KeyStore {
    KeyStore(
      directories: directories, environment: environment, command: configuration.keyCommand,
      report: report)
  }
}
