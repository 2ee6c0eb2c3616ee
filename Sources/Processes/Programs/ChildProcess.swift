public import Core
import Foundation

/// Runs a program to its end and takes what it prints.
public enum ChildProcess {
  /// What a program that ended came to.
  public struct Result: Sendable {
    /// Its exit status; 128 and the signal's number when a signal ended it.
    public var status: Int32
    /// What it printed, as much as was asked for.
    public var output: [UInt8]
    /// Whether it was killed because its time was over.
    public var isLate = false
  }

  /// Runs a program, in our own process group: a password prompt of it can read the terminal.
  ///
  /// - Parameters:
  ///   - arguments: The program, looked up in our PATH, and its arguments.
  ///   - input: What it reads from stdin.
  ///   - environment: All of its environment, which tells whose choice the program is.
  ///   - errors: Where its standard error goes.
  ///   - seconds: After this time it is killed; nil waits for ever.
  ///   - maximumOutput: The most bytes of its output that are kept; what prints more is killed.
  /// - Returns: How it ended and what it printed.
  /// - Throws: `BadConfiguration` when it cannot be started, with the kind `noProgram` when there is
  ///   no such program.
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
}
