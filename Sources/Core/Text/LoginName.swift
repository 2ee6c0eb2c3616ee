import Foundation

/// Who does something, for the audit.
public enum LoginName {
  /// The user's name, as the system knows it; a number where it knows none.
  public static var current: String {
    guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else {
      return "uid \(geteuid())"
    }
    return String(cString: name)
  }
}
