import Foundation

/// Returns the time of the monotonic clock in seconds (clock_gettime(2)).
func monotonicSeconds() -> Double {
  var time = timespec()
  // This call fails only for a clock that does not exist.
  _ = clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Blocks all signals on the calling thread (pthread_sigmask(3)).
///
/// TLS libraries may raise SIGPIPE, which libcurl does not handle with CURLOPT_NOSIGNAL. In
/// addition, a tool's signal handlers should run on other threads.
func blockAllSignals() {
  var signals = sigset_t()
  // Both calls fail only for invalid arguments.
  _ = sigfillset(&signals)
  _ = pthread_sigmask(SIG_BLOCK, &signals, nil)
}

/// Opens a socket that child processes do not inherit (socket(2)).
///
/// - Returns: The socket; -1 on failure.
func openSocket(family: Int32, type: Int32, transport: Int32) -> Int32 {
  let descriptor = socket(family, type, transport)
  guard descriptor >= 0 else { return -1 }
  // This call fails only for a descriptor that is not open.
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  return descriptor
}

/// Calls the given closure while this thread uses a UTF-8 locale (uselocale(3)).
///
/// libcurl passes international names to libidn2 in the locale's encoding. That is ASCII in a
/// program that never called setlocale(3).
func inUTF8<Value>(_ work: () -> Value) -> Value {
  let names = ["C.UTF-8", "en_US.UTF-8", "UTF-8"]
  guard let locale = names.lazy.compactMap({ newlocale(LC_CTYPE_MASK, $0, nil) }).first else {
    return work()
  }
  let previous = uselocale(locale)
  defer {
    // The previous locale still exists, so this call does not fail.
    _ = uselocale(previous)
    freelocale(locale)
  }
  return work()
}
