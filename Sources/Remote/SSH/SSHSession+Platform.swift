import Foundation

#if os(Linux)
  extension SSHSession {
    /// Makes the kernel acknowledge received data at once (tcp(7), TCP_QUICKACK).
    ///
    /// A server that gathers small segments (RFC 896) sends its next segment only after the
    /// acknowledgement, which the kernel may delay by 40 milliseconds. The option must be set again
    /// and again.
    func acknowledgeAtOnce() {
      var on: Int32 = 1
      // A kernel without the option is merely slower.
      _ = setsockopt(
        descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &on, socklen_t(MemoryLayout<Int32>.size))
    }
  }
#else
  extension SSHSession {
    /// Does nothing: other kernels have no such option.
    func acknowledgeAtOnce() {}
  }
#endif
