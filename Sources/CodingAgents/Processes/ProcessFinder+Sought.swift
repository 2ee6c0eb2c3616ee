public import Core

extension ProcessFinder {
  /// A session whose process is sought.
  public struct Sought: Sendable {
    /// The session.
    public var key: SessionKey
    /// The working folder; nil if it is unknown.
    public var folder: String?
    /// The id of the session that started this one as a subagent; nil for none.
    public var parent: String?
    /// The version of the program; nil if it is unknown.
    public var version: String?
    /// The folder to which the session has moved; nil if it has not.
    public var movedTo: String?
    /// `true` if the last turn has ended, and nothing followed.
    public var isIdle = false
    /// The time of the last entry; nil if it is unknown.
    public var lastAt: Timestamp?

    /// Creates the description of a session.
    public init(key: SessionKey, folder: String?, parent: String?) {
      (self.key, self.folder, self.parent) = (key, folder, parent)
    }

    /// The folders in which the process may work.
    var folders: [String] { [folder, movedTo].compactMap(\.self) }
  }
}

extension SessionProcess {
  /// Records that the agent waits for the next prompt.
  mutating func setIdle() { (status, waitingFor) = (.waiting, .prompt) }
}
