/// A note about a server, for the person who runs the tool.
public enum MCPNote: Sendable, Hashable {
  /// A sentence about the progress of a call.
  case progress(String)
  /// A line that the server's program printed on standard error, without unsafe characters.
  case line(String)
  /// A sentence about a fault that ended nothing, such as lines that are not messages.
  case fault(String)
}
