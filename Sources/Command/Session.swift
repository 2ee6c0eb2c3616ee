public import Core
public import Display
import Foundation
public import Keys
public import Processes
import Synchronization

/// One run of a tool: where it reads and writes, what it is configured to, and what went wrong.
public final class Session: Surroundings {
  /// The tool's name.
  public let tool: String
  /// The process's environment.
  public let environment: [String: String]
  /// Where the tool keeps things.
  public let directories: Directories
  /// Where records go.
  public let output: RecordWriter
  /// Tells when the process is to end.
  public let interruption: Interruption
  /// The signals that come, for a tool that takes them itself.
  public let signals: SignalRelay
  /// Where everything that is not output goes.
  public let diagnostics = Diagnostics.shared

  private let face: SessionFace?
  private let writesRecords: Bool
  private let statuses = Mutex<Set<Int32>>([])
  private let givenEnding = Mutex<ProcessEnding?>(nil)
  /// How text on stdout stands out.
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
      tool: tool, isVerbose: options.verbose, tellsTimings: options.timings,
      stateDirectory: directories.state)
  }

  private static func rendering(_ face: SessionFace) -> RecordWriter.Rendering {
    { (record) throws(Failure) in
      try face.show(record)
      return nil
    }
  }

  /// Records from stdin; on a terminal, says once that they are waited for.
  public func input() -> RecordReader {
    tellWaiting()
    return RecordReader(LineReader(interruption: interruption))
  }

  /// Says that stdin is waited for, where it is a terminal.
  public func tellWaiting() {
    guard isatty(0) == 1, diagnostics.isTerminal else { return }
    diagnostics.say("reading from the terminal; press Ctrl-D to end")
  }

  /// Whether stdout is a terminal.
  public var isOnTerminal: Bool { isatty(1) == 1 }

  /// Says a sentence where something was piped in by now that nobody reads.
  public func tellUnread(_ sentence: String) {
    var count: Int32 = 0
    if isatty(0) == 0, ioctl(0, UInt(FIONREAD), &count) == 0, count > 0 {
      diagnostics.say(sentence)
    }
  }

  /// Reports a failure: an `error` record in the stream, a line on stderr, and the exit status.
  public func fail(_ failure: Failure) {
    remember(failure)
    guard failure.code != .interrupted else { return }
    diagnostics.report(failure)
    // A failed write of a failure has nowhere left to be reported but in the status.
    do {
      if output.isNDJSON, writesRecords { try output.write(ErrorRecord(failure, tool: tool)) }
    } catch {
      if error.code != .interrupted { remember(error) }
    }
  }

  /// Reports a failure, unless the process is to end.
  ///
  /// - Throws: The failure of a process that is to end.
  public func goOn(after failure: Failure) throws(Failure) {
    guard failure.code != .interrupted else { throw failure }
    fail(failure)
  }

  /// Reports a notice of a library.
  public func note(_ notice: Notice) { diagnostics.take(notice) }

  /// Keeps what a terminal shows of a run up to date until the work is done.
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

  /// Lets a failure count in the exit status only.
  public func remember(_ failure: Failure) {
    statuses.withLock { _ = $0.insert(failure.code.exitStatus) }
  }

  /// Writes records that are all there is to tell: on a terminal as tables.
  ///
  /// - Throws: As `RecordWriter.write`.
  public func write(_ records: [any StreamRecord]) throws(Failure) {
    if let face {
      if records.isEmpty, isOnTerminal { diagnostics.say("there is nothing to show") }
      return try face.show(list: records)
    }
    for record in records { try output.write(record) }
  }

  /// Passes a record of no concern on, on a terminal as its own tool shows it; an `error` from
  /// upstream counts in the exit status.
  ///
  /// - Throws: As `RecordWriter.write`.
  public func passOn(_ record: RawRecord) throws(Failure) {
    if let face { try face.show(passing: record) } else { try output.write(record) }
    if record.type == ErrorRecord.type { rememberError() }
  }

  /// Lets an `error` from upstream count in the exit status.
  public func rememberError() {
    statuses.withLock { _ = $0.insert(1) }
  }

  /// Lets the process end as another one did, whatever failures there were.
  public func end(as ending: ProcessEnding) {
    givenEnding.withLock { $0 = ending }
  }

  /// Shows what was kept back to be shown in its last state.
  ///
  /// - Throws: As `RecordWriter.write`.
  func finish() throws(Failure) { try face?.finish() }

  /// How the process is to end, where its failures do not tell.
  var ending: ProcessEnding? { givenEnding.withLock { $0 } }

  /// 0 when every record went well, the failures' status when they have one, else 1.
  var exitStatus: Int32 {
    statuses.withLock { $0.count > 1 ? 1 : $0.first ?? 0 }
  }

  /// The configuration, from `config.toml`, with the models that were added by `model-list`.
  ///
  /// Settings that no tool knows are reported on stderr, once.
  ///
  /// - Throws: `BadConfiguration` that names the line.
  public func configuration() throws(Failure) -> Settings {
    let path = directories.config + "/config.toml"
    let own = try ConfigurationFile.read(path, reportsUnknown: true) ?? Settings()
    return try ModelsFile(directories).completing(own, reportsUnknown: true)
  }

  /// The models that were added.
  public var addedModels: ModelsFile { ModelsFile(directories) }

  /// Where secrets are looked up.
  public func keys(_ configuration: Settings) -> KeyStore {
    KeyStore(
      directories: directories, environment: environment, command: configuration.keyCommand,
      note: note)
  }
}
