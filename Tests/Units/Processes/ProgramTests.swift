import Core
import Foundation
@testable import Processes
import Synchronization
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

  @Test func `its errors come line by line, and the last one is kept`() throws {
    let lines = Mutex<[String]>([])
    let long = String(repeating: "x", count: 5000)
    let program = try Program(
      ["sh", "-c", "printf 'one\\n\\ntwo\\r\\n\(long)\\nlast\\n \\n' >&2; cat"],
      environment: environment,
      errors: .lines { line in lines.withLock { $0.append(line) } })
    program.closeInput()
    #expect(program.end() == .status(0))
    #expect(program.lastErrorLine == "last")
    #expect(lines.withLock { $0 } == ["one", "", "two", String(long.prefix(4096)), "last", " "])
  }

  @Test func `a process that holds the errors open does not delay the end`() throws {
    let program = try Program(
      ["sh", "-c", "sleep 1000 >/dev/null <&- & echo $! >&2"], environment: environment,
      errors: .lines { _ in })
    #expect(program.end() == .status(0))
    let stray = try #require(program.lastErrorLine.flatMap { pid_t($0) })
    kill(stray, SIGKILL)
  }

  @Test func `it runs in the folder that was named`() throws {
    let home = try Home()
    let program = try Program(["pwd", "-P"], environment: environment, folder: home.path)
    #expect(next(program)?.hasSuffix(home.path + "\n") ?? false)
    #expect(throws: Failure.self) {
      try Program(["pwd"], environment: environment, folder: home.path + "/none")
    }
  }

  @Test(arguments: [
    ("echo ready; cat", ProcessEnding.status(0)),
    ("echo ready; sleep 1000 & wait", .signal(SIGTERM)),
    ("trap '' TERM; echo ready; sleep 1000 & while :; do wait; done", .signal(SIGKILL)),
  ])
  func `it ends in steps, and its group with it`(
    _ script: String, _ ending: ProcessEnding
  ) throws {
    let guardian = try Guardian()
    let program = try Program(
      ["sh", "-c", script], environment: environment, guardian: guardian)
    #expect(next(program) == "ready\n")
    #expect(program.endInSteps(.seconds(4)) == ending)
    #expect(program.endInSteps() == ending)
    // Whoever held the output is gone.
    #expect(next(program) == "")
  }

  @Test func `what a program leaves in its group ends, too`() throws {
    let guardian = try Guardian()
    let program = try Program(
      ["sh", "-c", "sleep 1000 & echo ready; cat"], environment: environment, guardian: guardian)
    #expect(next(program) == "ready\n")
    #expect(program.endInSteps(.seconds(4)) == .status(0))
    #expect(next(program) == "")
  }

  @Test func `a guardian ends all groups that were not withdrawn`() throws {
    var guardian: Guardian? = try Guardian()
    let groups = try (0..<3).map { _ in
      var spawn = Spawn(.words(["sleep", "1000"]))
      (spawn.guardian, spawn.hasOwnGroup) = (guardian?.descriptor, true)
      return try spawn.start()
    }
    guardian?.withdraw(groups[1])
    // The guardian sees the end of its pipe, as after our death.
    guardian = nil
    var status: Int32 = 0
    for group in [groups[0], groups[2]] {
      #expect(waitpid(group, &status, 0) == group)
      #expect(ProcessEnding(waitStatus: status) == .signal(SIGTERM))
    }
    kill(groups[1], SIGKILL)
    #expect(waitpid(groups[1], &status, 0) == groups[1])
    #expect(ProcessEnding(waitStatus: status) == .signal(SIGKILL))
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
