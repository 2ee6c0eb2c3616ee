/// The permission under which a call is sent.
public enum ToolPermission: String, Sendable, Hashable, CaseIterable {
  /// The tool was named on the command line.
  case named
  /// A pattern of `--allow` matches.
  case option
  /// A pattern of the configuration matches.
  case configuration
  /// A person agreed earlier to this tool as it is.
  case agreement
  /// A person allowed this call.
  case once
  /// A person allowed the tool in this chat.
  case chat
  /// A person allowed the tool from now on.
  case always
  /// A person approved the call at a gate.
  case gate

  /// `true` if the permission covers tools that nobody has seen as they are now.
  var coversUnseen: Bool { self == .option || self == .configuration }
}
