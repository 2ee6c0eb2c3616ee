public import Core
import Foundation

/// A child process that runs until it ends, while its output is collected.
public enum ChildProcess {
  /// The result of running a program.
  public struct Result: Sendable {
    /// The exit status; 128 plus the signal number if a signal ended the program.
    public var status: Int32
    /// The output, at most the requested maximum of bytes.
    public var output: [UInt8]
    /// `true` if the program was killed because its time limit expired.
    public var isLate = false
  }

  /// Runs a program in this process's group, where it can prompt for a password on the terminal.
  ///
  /// - Parameters:
  ///   - arguments: The program, which is looked up in PATH, and its arguments.
  ///   - input: The bytes of the program's standard input.
  ///   - environment: The whole environment of the program.
  ///   - errors: The destination of the program's standard error.
  ///   - seconds: The time after which the program is killed; nil waits without limit.
  ///   - maximumOutput: The maximum number of bytes of output; a program that prints more is
  ///     killed.
  /// - Returns: The exit status and the output.
  /// - Throws: `BadConfiguration` if the program cannot be started. The failure has the kind
  ///   `noProgram` if the program does not exist.
  public static func run(
    _ arguments: [String], input: [UInt8] = [], environment: ChildEnvironment,
    errors: Program.Errors = .ours, seconds: Double? = nil, maximumOutput: Int = 1 << 20
  ) throws(Failure) -> Result {
    let end = seconds.map { ContinuousClock.now + .milliseconds(Int64($0 * 1000)) }
    let program = try Program(arguments, environment: environment, errors: errors)
    let (output, isWhole) = program.exchange(input, atMost: maximumOutput, until: end)
    if !isWhole { program.signal(SIGKILL) }
    return Result(
      status: program.end().status, output: output,
      isLate: !isWhole && end.map { $0 <= .now } ?? false)
  }

  /// Waits for the end of a program whose exit status tells its success.
  ///
  /// Children that it leaves behind go on, even if they hold its output.
  ///
  /// - Parameters:
  ///   - program: The program. If it is late, its group is killed.
  ///   - input: The bytes of the program's standard input.
  ///   - seconds: The time after which the program is killed.
  ///   - maximumOutput: The maximum number of bytes of output; more is discarded.
  /// - Returns: The exit status and the output.
  public static func finish(
    _ program: Program, input: [UInt8], seconds: Double, maximumOutput: Int
  ) -> Result {
    let end = ContinuousClock.now + .milliseconds(Int64(seconds * 1000))
    let (output, isWhole) = program.exchange(
      input, atMost: maximumOutput, until: end, endsWithProgram: true)
    if !isWhole { program.signal(SIGKILL) }
    return Result(status: program.end().status, output: output, isLate: !isWhole)
  }
}
