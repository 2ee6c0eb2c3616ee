import Core
import Foundation
import Processes
import TestSupport
import Testing

/// Programs that are fed, read and ended.
struct ProgramTests {
  private let environment: ChildEnvironment = ["PATH": "/usr/bin:/bin", "MARK": "ours"]

  /// As every tool does: a program that reads no more is told by EPIPE.
  init() { signal(SIGPIPE, SIG_IGN) }

  /// What a program writes next.
  private func next(_ program: Program) -> String? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    return program.read(into: &bytes).map { String(decoding: bytes[..<$0], as: UTF8.self) }
  }

  @Test func `bytes go both ways for as long as both live`() throws {
    let program = try Program(["cat"], environment: environment)
    for word in ["one\n", "two\n", "three\n"] {
      #expect(program.write(Array(word.utf8)))
      #expect(next(program) == word)
    }
    program.closeInput()
    #expect(next(program) == "")
    #expect(program.end() == .status(0))
  }

  @Test func `more than a pipe holds goes through, and comes back whole`() throws {
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let result = try ChildProcess.run(
      ["cat"], input: bytes, environment: environment, maximumOutput: 4 << 20)
    #expect(result.output == bytes)
    #expect(result.status == 0 && !result.isLate)
  }

  @Test func `it gets the environment that was made for it, and nothing else`() throws {
    let result = try ChildProcess.run(["env"], environment: environment)
    #expect(
      String(decoding: result.output, as: UTF8.self).split(separator: "\n").sorted()
        == ["MARK=ours", "PATH=/usr/bin:/bin"])
  }

  @Test func `a program that is started later holds no pipe of an earlier one`() throws {
    let first = try Program(["cat"], environment: environment)
    let second = try Program(["cat"], environment: environment)
    first.closeInput()
    #expect(next(first) == "")
    #expect(first.end() == .status(0))
    #expect(second.end(within: .zero) == .signal(SIGKILL))
  }

  @Test func `one that reads no more is no failure`() throws {
    let program = try Program(["true"], environment: environment)
    #expect(program.end() == .status(0))
    #expect(!program.write(Array("late\n".utf8)))
    let result = try ChildProcess.run(
      ["true"], input: [UInt8](repeating: 0x61, count: 1 << 20), environment: environment)
    #expect(result.status == 0)
  }

  @Test func `one that does not end is ended`() throws {
    let program = try Program(["sleep", "1000"], environment: environment)
    #expect(program.end(within: .zero) == .signal(SIGKILL))
    #expect(program.end() == .signal(SIGKILL))
    let result = try ChildProcess.run(["sleep", "1000"], environment: environment, seconds: 0.05)
    #expect(result.status == 128 + SIGKILL && result.isLate)
  }

  @Test func `one that prints too much is ended`() throws {
    let result = try ChildProcess.run(["yes"], environment: environment, maximumOutput: 1000)
    #expect(result.output.count == 1000)
    #expect(result.status == 128 + SIGKILL && !result.isLate)
  }

  @Test func `a guardian's program has a group of its own, which gets the signals`() throws {
    let guardian = try Guardian()
    let program = try Program(
      ["sh", "-c", "sleep 1000 & echo $$; wait"], environment: environment, guardian: guardian)
    #expect(next(program) == "\(program.process)\n")
    #expect(getpgid(program.process) == program.process)
    program.signal(SIGKILL)
    #expect(program.end() == .signal(SIGKILL))
    // The sleeping one held the output, and is gone with its group.
    #expect(next(program) == "")
  }

  @Test func `a program that is not there is named`() throws {
    let failure = #expect(throws: Failure.self) {
      try Program(["no-such-program"], environment: environment)
    }
    #expect(failure?.code == .badConfiguration && failure?.kind == "noProgram")
    #expect(
      failure?.explanation == "cannot run 'no-such-program': No such file or directory")
  }
}
