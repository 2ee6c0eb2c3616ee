/// The source ids of logs that report the end of a failed command.
public enum AgentEnd {
  private static let mark = "end:"

  /// Returns the source id of the log that reports the end of the run with the given id.
  ///
  /// The source ids of the command's other events begin with the id of the run.
  public static func sourceId(ofRun sessionId: String) -> String { mark + sessionId }

  /// Returns `true` if the given source id marks such a log.
  ///
  /// A hub may have put the name of a device before the id.
  public static func isSourceId(_ id: String) -> Bool {
    guard let slash = id.firstIndex(of: "/") else { return id.hasPrefix(mark) }
    let device = id[..<slash]
    return !device.contains(":") && id[slash...].dropFirst().hasPrefix(mark)
      || id.hasPrefix(mark)
  }
}
