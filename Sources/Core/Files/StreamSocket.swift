import Foundation

#if os(Linux)
  /// The type of SOCK_STREAM that socket(2) and getaddrinfo(3) accept.
  package let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
  /// The type of SOCK_STREAM that socket(2) and getaddrinfo(3) accept.
  package let streamSocket = SOCK_STREAM
#endif
