import Foundation

#if os(Linux)
  /// SOCK_STREAM as socket(2) and the hints of getaddrinfo(3) take it.
  package let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
  /// SOCK_STREAM as socket(2) and the hints of getaddrinfo(3) take it.
  package let streamSocket = SOCK_STREAM
#endif
