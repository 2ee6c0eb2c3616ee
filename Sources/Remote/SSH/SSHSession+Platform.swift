import Foundation

#if os(Linux)
  extension SSHSession {
    /// Has the kernel acknowledge at once what came last (tcp(7), TCP_QUICKACK).
    ///
    /// A server that gathers small segments (RFC 896) sends its next one only then, which the kernel
    /// may put off for 40 milliseconds. It has to be asked for again and again.
    func acknowledgeAtOnce() {
      var on: Int32 = 1
      // A kernel that does not know of it is slower, and no more.
      _ = setsockopt(
        descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &on, socklen_t(MemoryLayout<Int32>.size))
    }
  }
#else
  extension SSHSession {
    /// Other kernels cannot be told so.
    func acknowledgeAtOnce() {}
  }
#endif
