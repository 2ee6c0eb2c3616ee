public import Core

/// An event of tmux's control mode.
public enum TmuxEvent: Sendable, Hashable {
  /// Output of a pane.
  case output(TmuxOutput)
  /// Any other event.
  case event(TerminalEvent)
  /// A reply to a command.
  ///
  /// A client that sends no commands receives one reply, which confirms the attachment.
  case reply(TmuxReply)
}

/// Bytes that a program wrote in a pane.
public struct TmuxOutput: Sendable, Hashable {
  /// The time of arrival, in milliseconds since 1970.
  public var ts: Int64
  /// The ID of the pane, such as `%0`.
  public var pane: String
  /// The bytes as the program wrote them.
  ///
  /// Long output is split into several events.
  public var bytes: [UInt8]
  /// The time in milliseconds by which tmux delayed the bytes; nil if tmux does not report it.
  public var lagMs: Int?
}

/// The reply of tmux to a command.
public struct TmuxReply: Sendable, Hashable {
  /// The number that tmux gave to the command.
  public var number: Int
  /// `true` if the command failed.
  public var isError: Bool
  /// The text of the reply, cut after 64 KiB.
  public var text: String
}
