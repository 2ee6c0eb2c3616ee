import Foundation

/// The name of the user who runs the process, for the audit log.
public enum LoginName {
  /// The user's name in the system's database; `uid` followed by the user id if there is none.
  public static var current: String {
    guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else {
      return "uid \(geteuid())"
    }
    return String(cString: name)
  }
}
