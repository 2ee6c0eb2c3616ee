import Foundation

/// Returns the seconds of the monotonic clock, by clock_gettime(2).
func monotonicSeconds() -> Double {
  var time = timespec()
  // This fails only for a clock that does not exist.
  _ = clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Blocks all signals on the calling thread, by pthread_sigmask(3).
///
/// With CURLOPT_NOSIGNAL, libcurl does not handle SIGPIPE, but TLS libraries may raise it. A tool's
/// own handlers should run on its own threads.
func blockAllSignals() {
  var signals = sigset_t()
  // Both fail only for invalid arguments.
  _ = sigfillset(&signals)
  _ = pthread_sigmask(SIG_BLOCK, &signals, nil)
}

/// Opens a socket that child processes do not inherit, by socket(2); returns -1 on failure.
func openSocket(family: Int32, type: Int32, transport: Int32) -> Int32 {
  let descriptor = socket(family, type, transport)
  guard descriptor >= 0 else { return -1 }
  // This fails only for a descriptor that is not open.
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  return descriptor
}

/// Runs a closure in a locale with UTF-8 on this thread only, by uselocale(3).
///
/// libcurl passes international names to libidn2 in the locale's encoding, which is ASCII in a
/// program that never called setlocale(3).
func inUTF8<Value>(_ work: () -> Value) -> Value {
  let names = ["C.UTF-8", "en_US.UTF-8", "UTF-8"]
  guard let locale = names.lazy.compactMap({ newlocale(LC_CTYPE_MASK, $0, nil) }).first else {
    return work()
  }
  let previous = uselocale(locale)
  defer {
    // The previous locale was not freed, so it can be restored.
    _ = uselocale(previous)
    freelocale(locale)
  }
  return work()
}
