public import Core

extension Toolbox {
  /// Searches the tools of Composio's router.
  ///
  /// - Parameter words: The description of a task.
  /// - Returns: The tools that fit, the best first; none without Composio's key.
  /// - Throws: The errors of the router.
  public func searchComposio(_ words: String) async throws(Failure) -> [ToolRecord] {
    (try await composio?.search(words) ?? []).filter(admits)
  }

  /// Lets a person connect an account to a toolkit.
  ///
  /// - Parameters:
  ///   - toolkit: The toolkit's name, such as `gmail`.
  ///   - waits: `true` to return when the account is connected, `false` to return at once.
  ///   - show: Shows the person the address of the page for it.
  /// - Throws: `MissingAPIKey` without Composio's key; `BadUsage` if the name is invalid;
  ///   `AuthExpired` if nobody connects an account within ten minutes; the errors of the router.
  public func connectComposio(
    _ toolkit: String, waits: Bool, show: (_ page: String) -> Void
  ) async throws(Failure) {
    guard let composio else {
      throw Failure(
        .missingAPIKey, "there is no key for 'composio'", input: "composio",
        nextStep: "run 'key-store set composio'")
    }
    let link = try await composio.link(toolkit)
    show(link)
    if waits { try await composio.waitForConnection(toolkit, link) }
  }

  /// Goes on with the session of a chat, `Chat.toolRouterSessionId`, if it still exists and belongs
  /// to the configured user.
  ///
  /// - Parameter id: The id that the chat has; nil for none.
  /// - Returns: The id to store in the chat: the given one, or that of the session that all chats
  ///   use for an hour; nil without Composio's key.
  /// - Throws: The errors of the router.
  public func continueComposio(_ id: String?) async throws(Failure) -> String? {
    try await composio?.continueSession(id)
  }

  private var composio: ComposioSource? {
    sources.lazy.compactMap { $0 as? ComposioSource }.first
  }

  /// Returns the tool with the given full name if its source has tools that its list leaves out.
  ///
  /// - Throws: The errors of the source, except `NotFound`.
  func unlisted(_ word: String) async throws(Failure) -> ToolRecord? {
    guard !word.contains("*"), !word.contains("?"),
      let (name, tool) = ToolNames.split(word, sources: sourceNames)
    else { return nil }
    do throws(Failure) {
      return try await source(name).tool(named: tool)
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }
}
