public import Core
import Foundation

/// Writing the settings into the agent's file.
extension AgentSettings {
  /// Adds the hook to the agent's file, and keeps a copy of the file as it was.
  ///
  /// The file is replaced atomically, and keeps its permissions. If it is a symbolic link, the
  /// link's target is replaced.
  ///
  /// - Returns: The path of the copy, nil if there was no file; nil if the file has the hook already.
  /// - Throws: `BadInput` if the file cannot be understood; `StorageFailed` if it cannot be read or
  ///   written. The file is then unchanged.
  public func write() throws(Failure) -> (copy: String?, file: String)? {
    let target = Self.target(of: path)
    let old: PlainFile?
    do throws(PlainFile.Problem) {
      old = try PlainFile(target, atMost: 16 << 20)
    } catch {
      guard error == .missing else {
        throw Failure(.storageFailed, "cannot read '\(path)': \(error.reason)", input: path)
      }
      old = nil
    }
    let isEmpty = old?.bytes.allSatisfy { $0 == 0x20 || $0 == 0x0A } ?? true
    guard let new = try merged(with: isEmpty ? Array("{}\n".utf8) : old?.bytes ?? []) else {
      return nil
    }
    try Directories.make((target as NSString).deletingLastPathComponent)
    let copy = target + ".before-gate-decide"
    if let old {
      try PrivateFile.write(old.bytes, to: copy)
    }
    try PrivateFile.write(new, to: target)
    // The content is in place; other permissions than before are no reason to fail.
    if let old { chmod(target, old.mode & 0o7777) }
    return (old == nil ? nil : copy, target)
  }

  private static func target(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
