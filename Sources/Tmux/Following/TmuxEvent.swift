public import Core

/// An event of tmux's control mode.
public enum TmuxEvent: Sendable, Hashable {
  /// Output of a pane.
  case output(TmuxOutput)
  /// Any other event.
  case event(TerminalEvent)
  /// The reply to a command; a client that sends none gets one, for attaching.
  case reply(TmuxReply)
}

/// Bytes that a program in a pane wrote.
public struct TmuxOutput: Sendable, Hashable {
  /// The time of arrival, in milliseconds since 1970.
  public var ts: Int64
  /// The pane, such as `%0`.
  public var pane: String
  /// The bytes, as the program wrote them; long output arrives as several events.
  public var bytes: [UInt8]
  /// The time for which tmux held the bytes, in milliseconds, if tmux reports it.
  public var lagMs: Int?
}

/// The reply to a command.
public struct TmuxReply: Sendable, Hashable {
  /// The command's number.
  public var number: Int
  /// `true` if the command failed.
  public var isError: Bool
  /// The text, at most 64 KiB of it.
  public var text: String
}
