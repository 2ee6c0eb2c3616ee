import Foundation

#if os(Linux)
  extension Signals {
    /// The signals, specific to this system, that end a process by default (signal(7)).
    static let ofThisSystem: [Int32] =
      [SIGIO, SIGPWR, SIGSTKFLT] + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())
  }
#else
  extension Signals {
    /// The signals, specific to this system, that end a process by default (signal(3)).
    static let ofThisSystem: [Int32] = []
  }
#endif
