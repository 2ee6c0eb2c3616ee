import Foundation

/// The locks on files and databases that this process holds and other processes may wait for.
///
/// A process that is stopped (SIGTSTP, `Ctrl-Z`) keeps its locks, and every other tool would wait
/// until it continues. For this reason, a tool stops itself with ``stopProcess()``, which first
/// waits until the locks are released.
public enum HeldLocks {
  private static let state = NSCondition()
  // Guarded by `state`.
  nonisolated(unsafe) private static var count = 0
  // Guarded by `state`.
  nonisolated(unsafe) private static var isStopping = false

  /// The longest time, in seconds, for which a held lock delays the stop.
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
  /// Waits while the process is about to stop, unless the calling thread holds another lock. That
  /// lock would otherwise never be released.
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

  /// Runs the given work, which acquires and releases a lock.
  package static func during<Value>(_ work: () throws -> Value) rethrows -> Value {
    enter()
    defer { leave() }
    return try work()
  }

  /// Runs the given work once no lock is held, or after `patience` seconds.
  ///
  /// No lock can be acquired during the wait and the work.
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

  /// Stops this process as an unhandled SIGTSTP does; returns once the process is continued.
  ///
  /// A process in an orphaned process group does not stop, because no shell could continue it
  /// (setpgid(2)).
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
