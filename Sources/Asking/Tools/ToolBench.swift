public import Core
public import Providers

/// The tools that a model may call while it answers, and the permission to call them.
public protocol ToolBench: Sendable {
  /// The tools that are offered, in an order that does not change, so that prompt caches hold.
  var offers: [ToolOffer] { get }
  /// Goes on with the session that a chat has at a router of the offered tools.
  ///
  /// - Parameter id: The id that the chat has, `Chat.toolRouterSessionId`; nil for none.
  /// - Returns: The id for the chat to keep; nil if no offered tool is that of a router.
  /// - Throws: The errors of the router.
  func routerSession(after id: String?) async throws(Failure) -> String?
  /// Returns the given call of a model with the tool's own name and source; a call of a tool that
  /// was not offered is returned unchanged, without a source.
  func named(_ call: ToolCall) -> ToolCall
  /// Obtains the permission for the given call, and calls the tool.
  ///
  /// - Parameters:
  ///   - call: The call, as ``named(_:)`` returned it.
  ///   - chatId: The chat, for permissions that hold in one chat.
  ///   - begin: Called with the permission right before the call is sent. If it throws, the call is
  ///     not sent.
  /// - Returns: The result; its `error` says why a call was not sent or what is unknown about it.
  func call(
    _ call: ToolCall, in chatId: String?,
    begin: @escaping @Sendable (_ consent: String) async throws(Failure) -> Void
  ) async -> ToolResult
}
