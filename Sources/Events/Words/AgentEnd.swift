/// The source ids that mark the final log of a failed command.
public enum AgentEnd {
  private static let mark = "end:"

  /// Returns the source id of the log that reports the end of the run with the given id.
  ///
  /// The source ids of a command's own events begin with the id of its run instead.
  public static func sourceId(ofRun sessionId: String) -> String { mark + sessionId }

  /// Returns `true` if the given source id marks a final log, with or without a device that a hub
  /// prefixed.
  public static func isSourceId(_ id: String) -> Bool {
    guard let slash = id.firstIndex(of: "/") else { return id.hasPrefix(mark) }
    let device = id[..<slash]
    return !device.contains(":") && id[slash...].dropFirst().hasPrefix(mark)
      || id.hasPrefix(mark)
  }
}
