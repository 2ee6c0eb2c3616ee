import Foundation

#if os(Linux)
  extension Signals {
    /// Signals of this system alone that end a process which does nothing about them (signal(7)).
    static let ofThisSystem: [Int32] =
      [SIGIO, SIGPWR, SIGSTKFLT] + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())
  }
#else
  extension Signals {
    /// Signals of this system alone that end a process which does nothing about them (signal(3)).
    static let ofThisSystem: [Int32] = []
  }
#endif
