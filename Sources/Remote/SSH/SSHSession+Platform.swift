import Foundation

#if os(Linux)
  extension SSHSession {
    /// Makes the kernel acknowledge received data at once (tcp(7), TCP_QUICKACK).
    ///
    /// Otherwise, a server that gathers small segments (RFC 896) waits for an acknowledgement that
    /// the kernel may delay by 40 milliseconds. The kernel resets the option, so this must be
    /// called repeatedly.
    func acknowledgeAtOnce() {
      var on: Int32 = 1
      // Without the option, the connection is only slower.
      _ = setsockopt(
        descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &on, socklen_t(MemoryLayout<Int32>.size))
    }
  }
#else
  extension SSHSession {
    /// Does nothing, because kernels other than Linux have no such option.
    func acknowledgeAtOnce() {}
  }
#endif
