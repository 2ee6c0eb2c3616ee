import Foundation

/// The locks of this process that other processes wait for: those of files and of databases.
///
/// A process that is stopped (SIGTSTP, `Ctrl-Z`) keeps its locks, and every other tool would wait for
/// them until it goes on. So a tool stops itself by ``stopProcess()``, which lets go of them first.
public enum HeldLocks {
  private static let state = NSCondition()
  // Guarded by the condition.
  nonisolated(unsafe) private static var count = 0
  // Guarded by the condition.
  nonisolated(unsafe) private static var isStopping = false

  /// How long work that holds a lock may take before the process is stopped all the same, in seconds.
  private static let patience = 10.0

  /// How many locks the calling thread holds, kept with the thread (pthread_key_create(3)).
  private static let ofThread: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  private static var countOfThread: Int {
    get { Int(bitPattern: pthread_getspecific(ofThread)) }
    set { pthread_setspecific(ofThread, UnsafeRawPointer(bitPattern: newValue)) }
  }

  /// A lock is about to be taken; waits while the process is about to stop, unless the thread holds
  /// another one, which would then never be let go.
  static func enter() {
    state.withLock {
      while isStopping && countOfThread == 0 { state.wait() }
      count += 1
    }
    countOfThread += 1
  }

  /// The lock was let go, by the thread that took it.
  static func leave() {
    countOfThread -= 1
    state.withLock {
      count -= 1
      if count == 0 { state.broadcast() }
    }
  }

  /// Does something that needs a lock.
  package static func during<Value>(_ work: () throws -> Value) rethrows -> Value {
    enter()
    defer { leave() }
    return try work()
  }

  /// Does something while no lock is held, and none is taken before it is done.
  ///
  /// - Parameter work: What is to be done; it may take no lock.
  static func none(_ work: () -> Void) {
    state.withLock {
      while isStopping { state.wait() }
      isStopping = true
      let limit = Date(timeIntervalSinceNow: patience)
      while count > 0, state.wait(until: limit) {}
    }
    work()
    state.withLock {
      isStopping = false
      state.broadcast()
    }
  }

  /// Stops this process as SIGTSTP does that nobody handles, and so not where nobody could let it go
  /// on (setpgid(2), orphaned groups); returns when it goes on.
  public static func stopProcess() {
    none {
      var signal = sigset_t()
      sigemptyset(&signal)
      sigaddset(&signal, SIGTSTP)
      var before = sigset_t()
      pthread_sigmask(SIG_UNBLOCK, &signal, &before)
      pthread_kill(pthread_self(), SIGTSTP)
      pthread_sigmask(SIG_SETMASK, &before, nil)
    }
  }
}
