import Foundation

/// Runs a command to its end and takes what it prints.
///
/// Over posix_spawn(3), because Foundation's `Process` moves the child to a process group of its
/// own, where a password prompt cannot read the terminal.
public struct ChildProcess {
  /// What a command that ended came to.
  public struct Result: Sendable {
    /// Its exit status; 128 and the signal's number when a signal ended it.
    public var status: Int32
    /// What it printed, as much as was asked for.
    public var output: [UInt8]
    /// Whether it was killed because its time was over.
    public var isLate = false
  }

  /// Runs a command.
  ///
  /// - Parameters:
  ///   - arguments: The command, looked up in PATH, and its arguments.
  ///   - input: What it reads from stdin.
  ///   - environment: All of its environment, which tells whose choice the command is.
  ///   - seconds: After this time it is killed; nil waits for ever.
  ///   - maximumOutput: The most bytes of its output that are kept; what prints more is killed.
  /// - Returns: How it ended and what it printed.
  /// - Throws: `BadConfiguration` when it cannot be started, with the kind `noProgram` when there is
  ///   no such command.
  public static func run(
    _ arguments: [String], input: [UInt8] = [], environment: ChildEnvironment,
    seconds: Double? = nil, maximumOutput: Int = 1 << 20
  ) throws(Failure) -> Result {
    let toChild = Pipe()
    let fromChild = Pipe()
    for handle in [
      toChild.fileHandleForReading, toChild.fileHandleForWriting, fromChild.fileHandleForReading,
      fromChild.fileHandleForWriting,
    ] {
      // A child that kept the writing end of its own input would wait for that input's end.
      _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, toChild.fileHandleForReading.fileDescriptor, 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild.fileHandleForWriting.fileDescriptor, 1)
    useDefaultSignals(&attributes)
    var process = pid_t()
    var argv = arguments.map { strdup($0) } + [nil]
    var variables = environment.variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + variables { free(text) } }
    var code: Int32
    var tries = 0
    repeat {
      // A program that is just being replaced is busy for a moment (execve(2), ETXTBSY).
      if tries > 0 { usleep(10_000) }
      tries += 1
      code = posix_spawnp(
        &process, arguments.first ?? "", &actions, &attributes, &argv, &variables)
    } while code == ETXTBSY && tries < 50
    guard code == 0 else {
      throw Failure(
        .badConfiguration,
        "cannot run '\(arguments.first ?? "")': \(String(cString: strerror(code)))",
        kind: code == ENOENT ? "noProgram" : nil)
    }
    try? toChild.fileHandleForReading.close()
    try? fromChild.fileHandleForWriting.close()
    let end = seconds.map { ContinuousClock.now + .milliseconds(Int64($0 * 1000)) }
    let (output, isWhole) = exchange(
      input, toChild.fileHandleForWriting, fromChild.fileHandleForReading, until: end,
      maximumOutput)
    if !isWhole { kill(process, SIGKILL) }
    try? fromChild.fileHandleForReading.close()
    return Result(
      status: wait(for: process), output: output,
      isLate: !isWhole && end.map { $0 <= .now } ?? false)
  }

  /// Writes the input while the output is read, so that neither waits for the other.
  ///
  /// - Returns: What was read, and whether the child closed its output in time and within the limit.
  private static func exchange(
    _ input: [UInt8], _ writing: FileHandle, _ reading: FileHandle,
    until end: ContinuousClock.Instant?, _ maximumOutput: Int
  ) -> (output: [UInt8], isWhole: Bool) {
    var rest = input[...]
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    // A child that does not read its input may close it first; its status then tells.
    _ = fcntl(writing.fileDescriptor, F_SETFL, O_NONBLOCK)
    var isWriting = !input.isEmpty
    if !isWriting { try? writing.close() }
    defer { if isWriting { try? writing.close() } }
    while true {
      let left = end.map { Int32(clamping: Int64(($0 - .now) / .milliseconds(1))) } ?? -1
      guard end == nil || left > 0 else { return (output, false) }
      var waits = [pollfd(fd: reading.fileDescriptor, events: Int16(POLLIN), revents: 0)]
      if isWriting {
        waits.append(pollfd(fd: writing.fileDescriptor, events: Int16(POLLOUT), revents: 0))
      }
      // Whatever poll says, the calls below tell what is the matter.
      _ = poll(&waits, nfds_t(waits.count), left)
      if isWriting, waits[1].revents != 0 {
        let count = rest.withUnsafeBytes {
          Foundation.write(writing.fileDescriptor, $0.baseAddress, min($0.count, 1 << 16))
        }
        if count > 0 { rest = rest.dropFirst(count) }
        if rest.isEmpty || count < 0 && errno != EAGAIN && errno != EINTR {
          try? writing.close()
          isWriting = false
        }
      }
      guard waits[0].revents != 0 else { continue }
      let count = Foundation.read(reading.fileDescriptor, &piece, piece.count)
      if count > 0 {
        output += piece[..<count]
        guard output.count <= maximumOutput else {
          return (Array(output.prefix(maximumOutput)), false)
        }
      } else if count == 0 || errno != EINTR {
        return (output, true)
      }
    }
  }

  /// The tool's own ignored and blocked signals are not the child's business.
  private static func useDefaultSignals(_ attributes: inout posix_spawnattr_t) {
    var all = sigset_t()
    var none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
  }

  private static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }
}
