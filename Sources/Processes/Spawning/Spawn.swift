import CProcess
import Core
import Foundation

/// The settings with which a program is started.
///
/// All descriptors of this process are closed on exec, so the program gets only the three that are
/// set here. No signal except SIGTTOU is ever blocked.
struct Spawn {
  /// The program to start, and its arguments.
  enum Command {
    case words([String])
    /// The last arguments of this process, passed on byte for byte.
    ///
    /// A `String` could not represent arguments that are not UTF-8.
    case ownArguments(last: Int)
  }

  let command: Command
  /// The whole environment of the program; nil inherits the environment of this process.
  var environment: ChildEnvironment?
  /// The standard input, output and error of the program.
  ///
  /// If a descriptor is negative, the program inherits this process's stream.
  var input: Int32 = -1
  var output: Int32 = -1
  var errors: Int32 = -1
  /// The terminal whose foreground group the program's group becomes before it runs.
  var terminal: Int32?
  /// The folder in which the program runs; nil for ours.
  var folder: String?
  /// The descriptor of the guardian, which is notified before the program runs.
  var guardian: Int32?
  var hasOwnGroup = false
  /// `true` to reset all signals that this process ignores; `false` to reset only SIGPIPE and
  /// SIGXFSZ.
  var resetsSignals = false
  /// `true` to close the descriptors that this process inherited, too.
  var closesOthers = false
  /// `true` if the program may change the modes of a terminal without being its foreground group.
  ///
  /// SIGTTOU is then blocked.
  var setsTerminal = false

  init(_ command: Command) { self.command = command }

  /// The program's name, as it was given.
  var name: String {
    switch command {
    case .words(let words): words.first ?? ""
    case .ownArguments(let count): OwnArguments.words.suffix(count).first ?? ""
    }
  }

  /// The errno(3) code that describes why a program could not be started.
  struct Problem: Error {
    let code: Int32

    /// The reason in words, from strerror(3).
    var reason: String { String(cString: strerror(code)) }
  }

  /// Starts a program that the configuration names or that belongs to this project.
  ///
  /// - Returns: The process ID of the program.
  /// - Throws: `BadConfiguration` if the program cannot be started. The failure has the kind
  ///   `noProgram` if the program does not exist.
  func startConfigured() throws(Failure) -> pid_t {
    do {
      return try start()
    } catch {
      if let folder, access(folder, X_OK) != 0 {
        throw Failure(
          .badConfiguration, "cannot run '\(name)' in '\(folder)': \(error.reason)", input: folder)
      }
      throw Failure(
        .badConfiguration, "cannot run '\(name)': \(error.reason)",
        kind: error.code == ENOENT ? .noProgram : nil)
    }
  }

  /// Starts the program.
  ///
  /// - Returns: The process ID of the program.
  func start() throws(Problem) -> pid_t {
    var texts = copies + [nil]
    defer { for text in texts { free(text) } }
    return try start(&texts)
  }

  /// Copies of the program's arguments as C strings, which the caller frees.
  private var copies: [UnsafeMutablePointer<CChar>?] {
    switch command {
    case .words(let words): words.map { strdup($0) }
    case .ownArguments(let count): OwnArguments.strings.suffix(count).map { strdup($0) }
    }
  }

  private func start(
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  ) throws(Problem) -> pid_t {
    guard let environment else { return try start(arguments, nil) }
    var variables = environment.variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in variables { free(text) } }
    return try start(arguments, &variables)
  }

  private func start(
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
    _ variables: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  ) throws(Problem) -> pid_t {
    let folder = folder.map { strdup($0) } ?? nil
    defer { free(folder) }
    var plan = process_plan(
      arguments: arguments, environment: variables, input: input, output: output, errors: errors,
      terminal: terminal ?? -1, folder: folder, guardian: guardian ?? -1,
      has_own_group: hasOwnGroup ? 1 : 0,
      resets_signals: resetsSignals ? 1 : 0, closes_others: closesOthers ? 1 : 0,
      sets_terminal: setsTerminal ? 1 : 0)
    var process = pid_t()
    for attempt in 0..<50 {
      // While a program file is being replaced, it is busy for a moment (execve(2), ETXTBSY).
      if attempt > 0 { usleep(10_000) }
      let code = process_start(&plan, &process)
      guard code == 0 else {
        guard code != ETXTBSY else { continue }
        throw Problem(code: code)
      }
      return process
    }
    throw Problem(code: ETXTBSY)
  }
}
