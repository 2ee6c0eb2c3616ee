// The C library's module leaves out what sys/socket.h has of kinds of sockets.
internal import CSSH
import Foundation

#if os(Linux)
  /// SOCK_STREAM as socket(2) takes it.
  let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
  /// SOCK_STREAM as socket(2) takes it.
  let streamSocket = SOCK_STREAM
#endif
