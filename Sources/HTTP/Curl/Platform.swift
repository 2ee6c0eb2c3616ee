import Foundation

/// Seconds of the clock that never goes back, by clock_gettime(2).
func monotonicSeconds() -> Double {
  var time = timespec()
  // Fails only for a clock that does not exist.
  _ = clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Keeps signals away from the calling thread, by pthread_sigmask(3).
///
/// libcurl runs with CURLOPT_NOSIGNAL and leaves SIGPIPE alone then, but TLS libraries may raise it;
/// and a tool's own handlers belong on its own threads.
func blockAllSignals() {
  var signals = sigset_t()
  // Both fail only for arguments that are not these.
  _ = sigfillset(&signals)
  _ = pthread_sigmask(SIG_BLOCK, &signals, nil)
}

/// Opens a socket that no child process inherits, by socket(2); -1 where that fails.
func openSocket(family: Int32, type: Int32, transport: Int32) -> Int32 {
  let descriptor = socket(family, type, transport)
  guard descriptor >= 0 else { return -1 }
  // Fails only for a descriptor that is not open.
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  return descriptor
}

/// Does something in a locale whose text is UTF-8, on this thread alone, by uselocale(3).
///
/// libcurl hands international names to libidn2 in the locale's encoding, and a program that never
/// called setlocale(3) has one without any letters but ASCII's.
func inUTF8<Value>(_ work: () -> Value) -> Value {
  let names = ["C.UTF-8", "en_US.UTF-8", "UTF-8"]
  guard let locale = names.lazy.compactMap({ newlocale(LC_CTYPE_MASK, $0, nil) }).first else {
    return work()
  }
  let previous = uselocale(locale)
  defer {
    // What was used before is not freed, and can be used again.
    _ = uselocale(previous)
    freelocale(locale)
  }
  return work()
}
