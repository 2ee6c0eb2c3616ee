import Core
import Foundation

/// The handling of signals by the process.
///
/// A fatal signal interrupts the tool. SIGTSTP stops the tool once it holds no lock. A write to a
/// closed pipe or to a file over the size limit fails instead of killing the process.
enum Signals {
  /// The signals that end a process by default, except SIGKILL and signals that report a crash.
  static let ending: [Int32] =
    [
      SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU,
    ] + ofThisSystem

  /// Handles signals in a separate thread, and blocks them in the calling thread and its later
  /// threads.
  ///
  /// The separate thread waits for signals with sigwait(3), so it may run any code. A second signal
  /// ends the process at once, unless the tool handles its signals itself. The same signal within
  /// half a second is no second one.
  ///
  /// - Parameters:
  ///   - interruption: The interruption that the first signal fires.
  ///   - relay: The relay that receives the signals once the tool listens to it.
  ///   - others: Additional signals that only the relay receives.
  static func watch(_ interruption: Interruption, _ relay: SignalRelay, others: [Int32]) {
    signal(SIGPIPE, SIG_IGN)
    // A write beyond the file size limit must fail, too, instead of killing the process.
    signal(SIGXFSZ, SIG_IGN)
    var watched = sigset_t()
    sigemptyset(&watched)
    // A signal that the parent ignored stays ignored, as nohup(1) requires; blocking would hold it
    // pending.
    for number in ending + [SIGTSTP] + others where !isIgnored(number) {
      sigaddset(&watched, number)
    }
    pthread_sigmask(SIG_BLOCK, &watched, nil)
    Thread.detachNewThread { [watched] in
      var watched = watched
      var number: Int32 = 0
      var firedAt = ContinuousClock.now
      while true {
        while sigwait(&watched, &number) != 0 {}
        guard !relay.deliver(number) else { continue }
        if number == SIGTSTP { HeldLocks.stopProcess() }
        guard ending.contains(number) else { continue }
        if let first = interruption.signal {
          // timeout(1) sends its signal to the process, and then to its group.
          guard first != number || firedAt + .milliseconds(500) <= .now else { continue }
          relay.runFarewell()
          die(by: number)
        }
        firedAt = .now
        interruption.fire(signal: number)
      }
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    let handler = signal(number, SIG_IGN)
    // The handler is restored at once; no other thread runs yet.
    signal(number, handler)
    // Swift cannot compare functions, and SIG_IGN is a number in C.
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Ends the process by the given signal, so that the calling shell sees the signal as the cause.
  static func die(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    var wanted = sigset_t()
    sigemptyset(&wanted)
    sigaddset(&wanted, number)
    pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    raise(number)
    exit(128 + number)
  }
}
