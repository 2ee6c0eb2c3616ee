import CProcess
import Core
import Foundation

/// A command that runs in a process group of its own.
struct CommandProcess: Sendable {
  /// Its process, and its group.
  let id: pid_t

  /// The end of `main`'s arguments, byte for byte: a text would not hold all of them.
  ///
  /// - Parameter count: How many of the last arguments are the command's.
  /// - Returns: Where they begin; null is behind the last one.
  private static func arguments(
    _ count: Int
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    CommandLine.unsafeArgv + max(0, Int(CommandLine.argc) - count)
  }

  /// Starts the command that the last arguments of this process are.
  ///
  /// Its environment and its standard input are ours, as are the signals that are ignored.
  ///
  /// - Parameters:
  ///   - count: How many arguments it is.
  ///   - output: Its standard output.
  ///   - errors: Its standard error.
  ///   - terminal: The terminal that its group is to have in the foreground, if any.
  /// - Returns: The process that runs it.
  /// - Throws: `NotFound` of the kind `noProgram` when there is no such command, `PermissionDenied`
  ///   when it cannot be run.
  static func start(
    _ count: Int, output: Int32, errors: Int32, foreground terminal: Int32?
  ) throws(Failure) -> CommandProcess {
    let arguments = arguments(count)
    guard let program = arguments[0] else { throw Failure(.badUsage, "there is no command") }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    if let terminal, process_add_foreground(&actions, terminal) != 0 {
      // Where it cannot be asked for, the group gets the terminal when it is stopped for want of it.
      Diagnostics.shared.note(.terminal, "the command is not given the terminal before it runs")
    }
    useOwnGroup(&attributes)
    var process = pid_t()
    var code: Int32
    var tries = 0
    repeat {
      // A program that is just being replaced is busy for a moment (execve(2), ETXTBSY).
      if tries > 0 { usleep(10_000) }
      tries += 1
      code = posix_spawnp(
        &process, program, &actions, &attributes, arguments, process_environment())
    } while code == ETXTBSY && tries < 50
    guard code == 0 else {
      let name = String(cString: program)
      throw Failure(
        code == ENOENT ? .notFound : .permissionDenied,
        "cannot run '\(name)': \(String(cString: strerror(code)))",
        kind: code == ENOENT ? "noProgram" : "notRunnable", input: name)
    }
    return CommandProcess(id: process)
  }

  /// A group of its own, no blocked signals, and the default for those that every tool ignores.
  static func useOwnGroup(_ attributes: inout posix_spawnattr_t) {
    var defaults = sigset_t()
    var none = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    sigaddset(&defaults, SIGXFSZ)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))
  }

  /// Sends a signal to the whole group; one that is gone gets none.
  func signal(_ number: Int32) { kill(-id, number) }

  /// Whether a process of the group is still there.
  var groupIsThere: Bool { kill(-id, 0) == 0 || errno == EPERM }
}
