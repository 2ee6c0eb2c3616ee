import CProcess
import Core
import Foundation

/// How a program is started: the one way there is.
///
/// Every descriptor of ours is marked to be closed on exec; the program gets the three that are named
/// here. No signal but SIGTTOU is ever blocked.
struct Spawn {
  /// The program, looked up in our PATH, and its arguments.
  enum Command {
    case words([String])
    /// The last arguments of this process, byte for byte: a text would not hold all of them.
    case ownArguments(last: Int)
  }

  let command: Command
  /// All of its environment; nil gives it ours.
  var environment: ChildEnvironment?
  /// What becomes its standard input, output and error; one below 0 is ours.
  var input: Int32 = -1
  var output: Int32 = -1
  var errors: Int32 = -1
  /// The terminal that its group gets before it runs.
  var terminal: Int32?
  /// Who is told of it before it runs.
  var guardian: Int32?
  var hasOwnGroup = false
  /// Whether what this process ignores, other than SIGPIPE and SIGXFSZ, is no business of it.
  var resetsSignals = false
  /// Whether it closes what others left open in this process, too.
  var closesOthers = false
  /// `true` if it may set the modes of a terminal that another group has, as any program of a
  /// shell's job may: SIGTTOU is blocked.
  var setsTerminal = false

  init(_ command: Command) { self.command = command }

  /// The name of the program as it was given.
  var name: String {
    switch command {
    case .words(let words): words.first ?? ""
    case .ownArguments(let count):
      Self.ownArguments(count).pointee.map { String(cString: $0) } ?? ""
    }
  }

  /// Why a program could not be started: the system's reason (errno(3)).
  struct Problem: Error {
    let code: Int32

    /// The reason in words.
    var reason: String { String(cString: strerror(code)) }
  }

  /// Starts a program that is named in the configuration, or is one of ours.
  ///
  /// - Returns: Its process.
  /// - Throws: `BadConfiguration` when it cannot be started, of the kind `noProgram` when there is no
  ///   such program.
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
  /// - Returns: Its process.
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

  /// The end of `main`'s arguments; null is behind the last one.
  private static func ownArguments(
    _ count: Int
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    CommandLine.unsafeArgv + max(0, Int(CommandLine.argc) - count)
  }
}
