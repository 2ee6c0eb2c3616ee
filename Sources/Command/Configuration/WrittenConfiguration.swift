import Core
import Foundation

/// The files beside `config.toml` that tools write.
enum WrittenConfiguration {
  /// Reads a file, applies the given change, and writes the file back while holding its lock.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - lock: The path of its lock.
  ///   - text: Returns the content of the file as TOML.
  ///   - change: The change; if it changes nothing, nothing is written.
  /// - Throws: `Busy` if another process holds the lock for too long; `BadConfiguration` if the
  ///   file is malformed; `StorageFailed` if it cannot be written; the errors of `change`.
  static func change(
    _ path: String, lockedBy lock: String, as text: (Settings) -> String,
    _ change: (inout Settings) throws(Failure) -> Void
  ) throws(Failure) {
    let held = try FileLock.waiting(for: lock)
    defer { withExtendedLifetime(held) {} }
    let old = try ConfigurationFile.read(path) ?? Settings()
    var new = old
    try change(&new)
    guard new != old else { return }
    try Directories.make((path as NSString).deletingLastPathComponent)
    try PrivateFile.write(Array(text(new).utf8), to: path)
  }
}
