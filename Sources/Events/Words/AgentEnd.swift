/// How the log of a command that ended badly is known from all others: by its source id.
public enum AgentEnd {
  private static let mark = "end:"

  /// The source id of the log that tells of the end of a run.
  ///
  /// What a command prints itself has the run's id in front of its source ids.
  public static func sourceId(ofRun sessionId: String) -> String { mark + sessionId }

  /// Whether a source id is one of those; a hub has the device that sent it in front of it.
  public static func isSourceId(_ id: String) -> Bool {
    guard let slash = id.firstIndex(of: "/") else { return id.hasPrefix(mark) }
    let device = id[..<slash]
    return !device.contains(":") && id[slash...].dropFirst().hasPrefix(mark)
      || id.hasPrefix(mark)
  }
}
