import Foundation

#if canImport(Darwin)
  /// Returns EOPNOTSUPP, because macOS has no posix_fallocate(3).
  func setAside(_ bytes: Int, of file: Int32) -> Int32 { EOPNOTSUPP }
#else
  /// Reserves disk space for the given file with posix_fallocate(3).
  ///
  /// - Returns: An error number; 0 for success.
  func setAside(_ bytes: Int, of file: Int32) -> Int32 { posix_fallocate(file, 0, off_t(bytes)) }
#endif
