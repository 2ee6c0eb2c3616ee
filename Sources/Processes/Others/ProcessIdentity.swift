import Foundation

/// The identity of a process, which no later process shares.
///
/// The system gives the id of a process that has ended to another one. The time of the start tells
/// the two apart.
public struct ProcessIdentity: Codable, Sendable, Hashable {
  /// The id.
  public var id: Int32
  /// The time of the start in clock ticks since the system's start (proc(5), `starttime`).
  public var start: UInt64

  /// Creates the identity.
  public init(id: Int32, start: UInt64) { (self.id, self.start) = (id, start) }
}

/// A process as `/proc/PID/stat` describes it (proc(5)).
public struct ProcessEntry: Sendable, Hashable {
  /// The identity.
  public var identity: ProcessIdentity
  /// The id of the parent.
  public var parent: Int32
  /// The name of the program, at most 15 bytes.
  public var name: String
  /// The state, such as `S` for a process that sleeps and `T` for one that is stopped.
  public var state: Character
  /// `true` if the process has a controlling terminal.
  public var hasTerminal: Bool

  /// `true` if the process has ended, and only its entry is left.
  public var hasEnded: Bool { state == "Z" || state == "X" }
  /// `true` if a signal stopped the process.
  public var isStopped: Bool { state == "T" }

  /// Creates an entry.
  public init(
    _ identity: ProcessIdentity, parent: Int32 = 1, name: String = "", state: Character = "S",
    hasTerminal: Bool = false
  ) {
    (self.identity, self.parent, self.name) = (identity, parent, name)
    (self.state, self.hasTerminal) = (state, hasTerminal)
  }

  /// Reads the text of `/proc/PID/stat`; nil if it has another form.
  public init?(_ text: String) {
    // The program's name may contain any character; it ends at the last bracket.
    guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close,
      let id = Int32(text[..<open].trimmingCharacters(in: .whitespaces))
    else { return nil }
    let fields = text[text.index(after: close)...].split { $0 == " " || $0 == "\n" }
    guard fields.count > 19, let state = fields[0].first, let parent = Int32(fields[1]),
      let terminal = Int(fields[4]), let start = UInt64(fields[19])
    else { return nil }
    self.init(
      ProcessIdentity(id: id, start: start), parent: parent,
      name: String(text[text.index(after: open)..<close]), state: state,
      hasTerminal: terminal != 0)
  }
}
