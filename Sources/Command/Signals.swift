import Core
import Foundation

/// Asks the tool to end on every signal that would end it, stops it on SIGTSTP while it holds no lock,
/// and lets writes to a closed pipe or a file that is too long fail instead of killing the process.
enum Signals {
  /// The signals that end a process which does nothing about them, but for SIGKILL, and for those that
  /// say that it has crashed.
  static let ending: [Int32] =
    [
      SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU,
    ] + ofThisSystem

  /// Blocks the signals in this thread, and so in those it starts.
  ///
  /// A thread of their own waits for them (sigwait(3)), where any code may run. A second signal
  /// ends the process at once, unless the tool takes its signals itself.
  ///
  /// - Parameters:
  ///   - interruption: Is fired by the first signal.
  ///   - relay: Takes the signals once the tool listens to it.
  ///   - others: Signals that are for the relay alone.
  static func watch(_ interruption: Interruption, _ relay: SignalRelay, others: [Int32]) {
    signal(SIGPIPE, SIG_IGN)
    // A file that reaches a limit on sizes is a failed write too.
    signal(SIGXFSZ, SIG_IGN)
    var watched = sigset_t()
    sigemptyset(&watched)
    // What the parent ignored stays ignored, as nohup(1) wants: a blocked signal would be kept.
    for number in ending + [SIGTSTP] + others where !isIgnored(number) {
      sigaddset(&watched, number)
    }
    pthread_sigmask(SIG_BLOCK, &watched, nil)
    Thread.detachNewThread { [watched] in
      var watched = watched
      var number: Int32 = 0
      while true {
        while sigwait(&watched, &number) != 0 {}
        guard !relay.hand(number) else { continue }
        if number == SIGTSTP { HeldLocks.stopProcess() }
        guard ending.contains(number) else { continue }
        guard interruption.signal == nil else {
          relay.sayFarewell()
          die(by: number)
        }
        interruption.fire(signal: number)
      }
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    let handler = signal(number, SIG_IGN)
    // The handler is put back at once; nothing else has begun yet.
    signal(number, handler)
    // Handlers are functions, which Swift cannot compare; SIG_IGN is a number in C.
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Ends the process by a signal, so that a calling shell sees how it died.
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
