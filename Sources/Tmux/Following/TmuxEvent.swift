public import Core

/// What tmux tells in control mode.
public enum TmuxEvent: Sendable, Hashable {
  /// A pane printed something.
  case output(TmuxOutput)
  /// Something else happened.
  case event(TerminalEvent)
  /// A command ended; without commands of ours there is one, that of the attaching.
  case reply(TmuxReply)
}

/// Bytes that a program in a pane wrote.
public struct TmuxOutput: Sendable, Hashable {
  /// When they came, in milliseconds since 1970.
  public var ts: Int64
  /// The pane, such as `%0`.
  public var pane: String
  /// The bytes, as the program wrote them; a long piece comes as several.
  public var bytes: [UInt8]
  /// For how many milliseconds tmux held them, where it tells.
  public var lagMs: Int?
}

/// The answer to a command.
public struct TmuxReply: Sendable, Hashable {
  /// The command's number.
  public var number: Int
  /// Whether the command failed.
  public var isError: Bool
  /// What it said, at most 64 KiB of it.
  public var text: String
}
