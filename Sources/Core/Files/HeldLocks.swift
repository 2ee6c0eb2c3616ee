import Foundation

/// The locks of files and databases that this process holds and other processes wait for.
///
/// A process that is stopped (SIGTSTP, `Ctrl-Z`) keeps its locks, and every other tool would wait
/// until it continues. So a tool stops itself with ``stopProcess()``, which first waits until they
/// are released.
public enum HeldLocks {
  private static let state = NSCondition()
  // Guarded by the condition.
  nonisolated(unsafe) private static var count = 0
  // Guarded by the condition.
  nonisolated(unsafe) private static var isStopping = false

  /// The longest time that a lock delays the stop, in seconds.
  private static let patience = 10.0

  /// The number of locks that the calling thread holds, in thread-specific data
  /// (pthread_key_create(3)).
  private static let ofThread: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  private static var countOfThread: Int {
    get { Int(bitPattern: pthread_getspecific(ofThread)) }
    set { pthread_setspecific(ofThread, UnsafeRawPointer(bitPattern: newValue)) }
  }

  /// Registers a lock that is about to be acquired.
  ///
  /// Waits while the process is about to stop,
  /// unless the thread holds another lock, which would then never be released.
  static func enter() {
    state.withLock {
      while isStopping && countOfThread == 0 { state.wait() }
      count += 1
    }
    countOfThread += 1
  }

  /// Registers the release of a lock by the thread that acquired it.
  static func leave() {
    countOfThread -= 1
    state.withLock {
      count -= 1
      if count == 0 { state.broadcast() }
    }
  }

  /// Runs work that needs a lock.
  package static func during<Value>(_ work: () throws -> Value) rethrows -> Value {
    enter()
    defer { leave() }
    return try work()
  }

  /// Runs work once no lock is held or `patience` is over; no lock can be acquired meanwhile.
  ///
  /// - Parameter work: The work; it must not acquire a lock.
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

  /// Stops this process as an unhandled SIGTSTP does, and returns when it continues.
  ///
  /// A process whose group is orphaned, which nobody could continue, does not stop (setpgid(2)).
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
