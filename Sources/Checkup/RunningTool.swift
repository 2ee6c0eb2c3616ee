import Core
import Foundation

/// Facts about tools that run on this machine as this user, from proc(5).
enum RunningTool {
  /// Returns `true` if a process runs a file of the given name that has since been replaced.
  static func isReplaced(_ name: String) -> Bool {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.contains { process in
      guard Int(process) != nil,
        let file = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/\(process)/exe")
      else { return false }
      return file.hasSuffix("/\(name) (deleted)") || file.hasSuffix("/\(name).new (deleted)")
    }
  }
}
