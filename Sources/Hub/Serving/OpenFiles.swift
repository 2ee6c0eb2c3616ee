import Foundation

/// The limit on the number of open descriptors of this process (getrlimit(2)).
enum OpenFiles {
  /// Raises the limit as far as the system allows.
  ///
  /// Each connection needs a descriptor.
  ///
  /// - Returns: The new limit.
  static func raised() -> Int {
    var limits = rlimit()
    guard getrlimit(resource, &limits) == 0 else { return usual }
    var wanted = limits
    wanted.rlim_cur = min(limits.rlim_max, rlim_t(most))
    if wanted.rlim_cur > limits.rlim_cur, setrlimit(resource, &wanted) == 0 { limits = wanted }
    return Int(min(limits.rlim_cur, rlim_t(most)))
  }

  /// Returns the maximum number of connections under the given limit.
  ///
  /// Some descriptors are left for the hub's own files.
  static func connections(of limit: Int) -> Int { limit - min(256, limit / 2) }

  private static let usual = 1024
  private static let most = 1 << 20
}

#if canImport(Darwin)
  private let resource = RLIMIT_NOFILE
#else
  private let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#endif
