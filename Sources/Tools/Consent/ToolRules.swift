public import Core

/// The rules that allow calls without a question.
public struct ToolRules: Sendable {
  /// The patterns of `--allow`.
  public var allowed: [ToolPattern]
  /// The patterns of the configuration.
  public var configured: [ToolPattern]

  /// Creates the rules.
  public init(allowed: [ToolPattern] = [], configured: [ToolPattern] = []) {
    (self.allowed, self.configured) = (allowed, configured)
  }

  /// Returns the permission to call the given tool; nil if a person must be asked.
  ///
  /// The annotations of a server about its own tool have no effect.
  ///
  /// - Parameters:
  ///   - tool: The tool as it is now.
  ///   - isNamed: `true` if the user named the tool on the command line.
  ///   - agreements: The stored agreements.
  ///   - chatId: The chat of the call; nil for none.
  /// - Returns: The permission, or nil.
  public func permission(
    for tool: ToolRecord, isNamed: Bool, agreements: [ToolAgreements.Agreement], in chatId: String?
  ) -> ToolPermission? {
    if isNamed { return .named }
    if allowed.contains(where: { $0.matches(tool) }) { return .option }
    if configured.contains(where: { $0.matches(tool) }) { return .configuration }
    let digest = tool.digest
    let given = agreements.filter { $0.name == tool.fullName && $0.digest == digest }
    if given.contains(where: { $0.chatId == nil }) { return .agreement }
    if let chatId, given.contains(where: { $0.chatId == chatId }) { return .chat }
    return nil
  }
}
