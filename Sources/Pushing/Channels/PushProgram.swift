import Core
import Foundation
import Processes
import Synchronization

/// A program that passes messages on.
struct PushProgram: Sendable {
  private let environment: ChildEnvironment
  private let folders: [String]
  private let guardian: SharedGuardian
  private let blocking = Blocking("push.program")

  /// The exit status of a program that failed, but may succeed later (sysexits.h, EX_TEMPFAIL).
  private static let temporary: Int32 = 75
  /// The time in seconds after which a program is killed.
  private static let patience = 30.0

  /// Creates the value for programs that get the given variables.
  ///
  /// - Parameters:
  ///   - variables: The environment of this process.
  ///   - isNamed: `true` if the user named the program, which then gets all variables.
  ///   - guardian: Ends the program if this process is killed.
  init(_ variables: [String: String], isNamed: Bool, guardian: SharedGuardian) {
    self.guardian = guardian
    environment = isNamed ? .whole(variables) : .ofHelper(variables)
    folders = (variables["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
  }

  /// Runs the given command.
  ///
  /// - Parameters:
  ///   - command: The program and its arguments.
  ///   - input: The bytes of its standard input.
  /// - Returns: What it printed, at most 64 KiB.
  /// - Throws: `BadConfiguration` if the program cannot be started; `Timeout` if it does not end
  ///   within 30 seconds; `Overloaded` if it ends with status 75 or by a signal; `ToolFailed` if it
  ///   ends with another status but 0; `Interrupted` if the task is cancelled.
  @discardableResult
  func run(_ command: [String], input: [UInt8] = []) async throws(Failure) -> String {
    let name = Visible.line((command[0] as NSString).lastPathComponent)
    let errors = FirstLines()
    let program = try Program(
      command, environment: environment, errors: .lines(errors.keep),
      guardian: try guardian.started())
    let result = await withTaskCancellationHandler {
      await blocking.run {
        ChildProcess.finish(
          program, input: input, seconds: Self.patience, maximumOutput: 1 << 16)
      }
    } onCancel: {
      program.signal(SIGKILL)
    }
    guard !Task.isCancelled else { throw Failure(.interrupted, "'\(name)' was ended") }
    guard !result.isLate else {
      throw Failure(.timeout, "'\(name)' did not end within 30 seconds", input: name)
    }
    guard result.status == 0 else {
      let words = errors.line.map { ": \(Visible.line(String($0.prefix(300))))" } ?? ""
      let mayPass = result.status == Self.temporary || result.status > 128
      throw Failure(
        mayPass ? .overloaded : .toolFailed,
        "'\(name)' ended with status \(result.status)\(words)", input: name)
    }
    return String(decoding: result.output, as: UTF8.self)
  }

  /// Returns the path of the first program of the given names that can be run.
  ///
  /// - Throws: `NotFound` of kind `noProgram` if there is none.
  func find(_ names: [String], _ nextStep: String) throws(Failure) -> String {
    for name in names {
      let paths = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
      if let path = paths.first(where: { access($0, X_OK) == 0 }) { return path }
    }
    throw Failure(
      .notFound, "there is no program '\(names[0])'", kind: .noProgram, input: names[0],
      nextStep: nextStep)
  }
}

/// The first lines that a program printed to its standard error.
private final class FirstLines: Sendable {
  private let kept = Mutex<[String]>([])
  private static let most = 4

  /// The lines as one; nil if there are none.
  var line: String? { kept.withLock { $0.isEmpty ? nil : $0.joined(separator: "; ") } }

  func keep(_ line: String) {
    guard line.contains(where: { !$0.isWhitespace }) else { return }
    kept.withLock { if $0.count < Self.most { $0.append(line) } }
  }
}
