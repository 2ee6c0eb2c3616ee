public import Foundation
import Synchronization

/// The way a process ended.
public enum Ending: Equatable, Sendable, CustomStringConvertible {
  /// By itself, with a status.
  case exit(Int32)
  /// By a signal.
  case signal(Int32)

  /// The status, or the signal with its number.
  public var description: String {
    switch self {
    case .exit(let status): "\(status)"
    case .signal(let number): "signal \(number)"
    }
  }
}

/// A process that a test started, in a session of its own: a tool finds no terminal for prompts
/// unless the test provides one.
public final class Child: Sendable {
  /// The process cannot be started.
  public struct CannotStart: Error, CustomStringConvertible {
    /// The reason.
    public var description: String
  }

  /// The destination of a descriptor of the process.
  public enum Stream {
    /// A file for reading.
    case read(String)
    /// A file for appending.
    case append(String)
    /// A file or a device for both.
    case readWrite(String)
    /// A descriptor of this process.
    case descriptor(Int32)
  }

  /// The time after which a tool counts as hung.
  private static let limit = 600.0

  /// The process ID.
  public let id: pid_t
  private let state = Mutex<Ending?>(nil)

  /// Starts a program, which inherits no other descriptor than those of `streams`.
  public init(
    _ arguments: [String], environment: [String: String], folder: String,
    streams: [Int32: Stream]
  ) throws {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (descriptor, stream) in streams.sorted(by: { $0.key < $1.key }) {
      switch stream {
      case .read(let path):
        posix_spawn_file_actions_addopen(&actions, descriptor, path, O_RDONLY, 0)
      case .append(let path):
        posix_spawn_file_actions_addopen(
          &actions, descriptor, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      case .readWrite(let path):
        posix_spawn_file_actions_addopen(&actions, descriptor, path, O_RDWR, 0)
      case .descriptor(let ours):
        posix_spawn_file_actions_adddup2(&actions, ours, descriptor)
      }
    }
    // A pipe of another test must end with that test's processes. Closing a closed descriptor is no
    // failure.
    for descriptor in max(2, streams.keys.max() ?? 2) + 1..<1024 {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    var all = sigset_t()
    var none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | newSession)
    // There is no portable way to spawn into a folder, so a shell changes to it and becomes the
    // tool.
    let words = ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder] + arguments
    var argv = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + variables { free(text) } }
    var process = pid_t()
    let code = posix_spawnp(
      &process, "sh", &actions, &attributes, &argv, &variables)
    guard code == 0 else {
      throw CannotStart(
        description: "cannot run '\(arguments.first ?? "")': \(String(cString: strerror(code)))")
    }
    id = process
  }

  /// Waits for the end of the process, and kills it if it hangs.
  public func ended() async -> Ending {
    if let known = state.withLock({ $0 }) { return known }
    let id = id
    let ending = await withCheckedContinuation { continuation in
      // A thread of its own, because the tests' pool has only as many threads as the machine has
      // cores.
      Thread.detachNewThread { continuation.resume(returning: Self.wait(for: id)) }
    }
    state.withLock { $0 = ending }
    return ending
  }

  /// `true` if the process has ended, even if nobody has waited for it.
  public var hasEnded: Bool {
    state.withLock { ending in
      var information = siginfo_t()
      // waitid reports no running child, and fails for a child that was waited for.
      guard ending == nil, waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT | WNOHANG) == 0
      else { return true }
      return information.si_signo == SIGCHLD
    }
  }

  /// Sends a signal, unless the process is known to have ended.
  public func signal(_ number: Int32) {
    state.withLock { ending in
      if ending == nil { kill(id, number) }
    }
  }

  private static func wait(for id: pid_t) -> Ending {
    let watchdog = DispatchWorkItem { kill(id, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: watchdog)
    var information = siginfo_t()
    // The child is reaped only after the watchdog is cancelled, which could otherwise kill a new
    // process with the same ID.
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    watchdog.cancel()
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? .exit((status >> 8) & 0xFF) : .signal(status & 0x7F)
  }
}

// POSIX_SPAWN_SETSID; glibc's header shows it to GNU sources only.
#if canImport(Darwin)
  private let newSession: Int16 = 0x400
#else
  private let newSession: Int16 = 0x80
#endif
