import CProcess
import Core
import Foundation

/// The settings with which a program is started.
///
/// All of our descriptors are closed on exec; the program gets the three that are set here. No
/// signal but SIGTTOU is ever blocked.
struct Spawn {
  /// The program, looked up in our PATH, and its arguments.
  enum Command {
    case words([String])
    /// The last arguments of this process, byte for byte: a string cannot hold arguments that are
    /// no UTF-8.
    case ownArguments(last: Int)
  }

  let command: Command
  /// The program's whole environment; nil inherits ours.
  var environment: ChildEnvironment?
  /// The program's standard input, output and error; a negative descriptor inherits ours.
  var input: Int32 = -1
  var output: Int32 = -1
  var errors: Int32 = -1
  /// The terminal whose foreground the program's group takes before it runs.
  var terminal: Int32?
  /// The descriptor of the guardian, which is notified before the program runs.
  var guardian: Int32?
  var hasOwnGroup = false
  /// `true` if all signals that this process ignores are reset, not SIGPIPE and SIGXFSZ alone.
  var resetsSignals = false
  /// `true` if inherited descriptors that others left open in this process are closed, too.
  var closesOthers = false
  /// `true` if the program may set the modes of a terminal that another group has, as any program
  /// of a shell's job may: SIGTTOU is blocked.
  var setsTerminal = false

  init(_ command: Command) { self.command = command }

  /// The program's name as given.
  var name: String {
    switch command {
    case .words(let words): words.first ?? ""
    case .ownArguments(let count):
      Self.ownArguments(count).pointee.map { String(cString: $0) } ?? ""
    }
  }

  /// The system's error code for a program that could not be started (errno(3)).
  struct Problem: Error {
    let code: Int32

    /// The reason in words.
    var reason: String { String(cString: strerror(code)) }
  }

  /// Starts a program that the configuration names, or one of our own.
  ///
  /// - Returns: The process ID.
  /// - Throws: `BadConfiguration` if the program cannot be started, with the kind `noProgram` if it
  ///   does not exist.
  func startConfigured() throws(Failure) -> pid_t {
    do {
      return try start()
    } catch {
      throw Failure(
        .badConfiguration, "cannot run '\(name)': \(error.reason)",
        kind: error.code == ENOENT ? .noProgram : nil)
    }
  }

  /// Starts the program.
  ///
  /// - Returns: The process ID.
  func start() throws(Problem) -> pid_t {
    switch command {
    case .ownArguments(let count): return try start(Self.ownArguments(count))
    case .words(let words):
      var texts = words.map { strdup($0) } + [nil]
      defer { for text in texts { free(text) } }
      return try start(&texts)
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
    var plan = process_plan(
      arguments: arguments, environment: variables, input: input, output: output, errors: errors,
      terminal: terminal ?? -1, guardian: guardian ?? -1, has_own_group: hasOwnGroup ? 1 : 0,
      resets_signals: resetsSignals ? 1 : 0, closes_others: closesOthers ? 1 : 0,
      sets_terminal: setsTerminal ? 1 : 0)
    var process = pid_t()
    for attempt in 0..<50 {
      // A program that is just being replaced is busy for a moment (execve(2), ETXTBSY).
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

  /// Returns a pointer to the last arguments of `main`, which end with a null pointer.
  private static func ownArguments(
    _ count: Int
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    CommandLine.unsafeArgv + max(0, Int(CommandLine.argc) - count)
  }
}
