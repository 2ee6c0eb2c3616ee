public import Core
public import OAuth

extension Toolbox {
  /// Logs a person in at the server of the given source, and stores the tokens.
  ///
  /// - Parameters:
  ///   - source: The source, such as `mcp:tracker`.
  ///   - browser: The person's browser.
  ///   - interruption: Ends the wait for the browser.
  /// - Throws: `NotFound` if there is no such source; `BadUsage` if it has no login;
  ///   `PermissionDenied` if the server was not agreed to; the errors of the login.
  public func logIn(
    to source: String, with browser: OAuthBrowser, _ interruption: Interruption
  ) async throws(Failure) {
    let (entry, access) = try access(to: source)
    try await consent.admit(entry)
    try await OAuthLogin(access, as: entry.identity).login(with: browser, interruption)
    // Another user may have other tools.
    needs.cache.remove(entry.digest)
  }

  /// Deletes the tokens of the given source, and revokes them at the server if it can.
  ///
  /// - Parameter source: The source, such as `mcp:tracker`.
  /// - Returns: `true` if the server revoked the tokens.
  /// - Throws: `NotFound` if there is no such source or no login; `BadUsage` if it has no login.
  public func logOut(of source: String) async throws(Failure) -> Bool {
    let (entry, access) = try access(to: source)
    needs.cache.remove(entry.digest)
    return try await OAuthLogin(access).logout()
  }

  private func access(to source: String) throws(Failure) -> (ServerEntry, OAuthAccess) {
    guard let entry = entries.first(where: { $0.source == source || $0.name == source }) else {
      _ = try self.source(source)
      throw Failure(
        .badUsage, "'\(Visible.line(source))' has no login: its key is in the key store",
        input: source, nextStep: "run 'key-store set'")
    }
    guard let access = try needs.places.access(entry) else {
      throw Failure(
        .badUsage, "'\(entry.source)' is a program, which has no login", input: entry.source)
    }
    return (entry, access)
  }
}
