import Foundation

/// Runs a command to its end and takes what it prints.
///
/// Over posix_spawn(3), because Foundation's `Process` moves the child to a process group of its
/// own, where a password prompt cannot read the terminal.
struct ChildProcess {
  /// What a command that ended came to.
  struct Result {
    /// Its exit status; 128 and the signal's number when a signal ended it.
    var status: Int32
    /// What it printed, at most 1 MiB.
    var output: [UInt8]
  }

  /// More than any secret needs.
  private static let maximumOutput = 1 << 20

  /// Runs a command.
  ///
  /// - Parameters:
  ///   - arguments: The command, looked up in PATH, and its arguments.
  ///   - input: What it reads from stdin.
  ///   - environment: All of its environment.
  /// - Returns: How it ended and what it printed.
  /// - Throws: `BadConfiguration` when it cannot be started.
  static func run(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String]
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
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
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
        "cannot run '\(arguments.first ?? "")': \(String(cString: strerror(code)))")
    }
    try? toChild.fileHandleForReading.close()
    try? fromChild.fileHandleForWriting.close()
    // A child that does not read its input may close it first; its status then tells.
    try? toChild.fileHandleForWriting.write(contentsOf: Data(input))
    try? toChild.fileHandleForWriting.close()
    let output = read(fromChild.fileHandleForReading.fileDescriptor)
    try? fromChild.fileHandleForReading.close()
    return Result(status: wait(for: process), output: output)
  }

  private static func read(_ descriptor: Int32) -> [UInt8] {
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while output.count < maximumOutput {
      let count = Foundation.read(descriptor, &piece, piece.count)
      if count > 0 {
        output += piece[..<count]
      } else if count == 0 || errno != EINTR {
        break
      }
    }
    return Array(output.prefix(maximumOutput))
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
