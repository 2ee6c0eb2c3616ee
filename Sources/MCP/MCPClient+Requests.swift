import Core

extension MCPClient {
  /// A request that may be sent over several connections.
  struct Job: Sendable {
    var method: String
    var params: [String: JSONValue] = [:]
    var name: String?
    var mirrored: [(name: String, value: String)] = []
    var isRepeatable: Bool
  }

  /// Sends a request over the open connection, and returns the answer.
  ///
  /// A request is sent a second time if the server has not received it, or if it is repeatable.
  func answer(_ job: Job) async throws(Failure) -> (reply: MCPReply, revision: MCPRevision) {
    var isAgain = false
    while true {
      let connection = try await connection()
      let failure: Failure
      do throws(Failure) {
        let reply = try await send(job, over: connection)
        guard !isAgain, case .error(-32022, _, _) = reply, server.revision == nil else {
          return (reply, connection.revision)
        }
        await lose(connection, forgetting: true)
        isAgain = true
        continue
      } catch {
        failure = error
      }
      if await !isUsable(connection, after: failure, again: job, isAgain) { throw failure }
      isAgain = true
    }
  }

  /// Closes the connection if the failure has ended it.
  ///
  /// - Returns: `true` if the request may be sent over a new connection.
  private func isUsable(
    _ connection: Connection, after failure: Failure, again job: Job, _ isAgain: Bool
  ) async -> Bool {
    if failure.kind == .otherEra || failure.kind == .sessionGone {
      await lose(connection, forgetting: failure.kind == .otherEra)
      return !isAgain && server.revision == nil || !isAgain && failure.kind == .sessionGone
    }
    guard isProgram,
      [.toolFailed, .networkUnavailable, .invalidResponse].contains(failure.code)
    else { return false }
    await lose(connection)
    let isUnsent = failure.code == .networkUnavailable
    let isRepeatable = failure.kind == .unknownOutcome && job.isRepeatable
    return !isAgain && (isUnsent || isRepeatable)
  }

  private func send(_ job: Job, over connection: Connection) async throws(Failure) -> MCPReply {
    var meta = meta(connection.revision)
    meta["progressToken"] = .int(nextToken())
    var params = job.params
    params["_meta"] = .object(meta)
    let request = MCPRequest(
      method: job.method, params: params, name: job.name, mirrored: job.mirrored,
      isRepeatable: job.isRepeatable)
    let progress = ProgressNotes(server.name, report)
    return try await connection.channel.exchange(
      request, connection.revision, timeout: server.timeout
    ) { [self] incoming in
      if case .notification("notifications/progress", let params) = incoming {
        progress.report(params)
        return nil
      }
      // The revision without a handshake has no requests of servers.
      guard case .request(let method, _) = incoming else { return nil }
      guard !connection.revision.isModern else { return .refusal(of: "") }
      return await reply(to: incoming) ?? .refusal(of: method)
    }
  }

  /// Returns the failure for an error that the server answered.
  func failure(_ code: Int, _ message: String, _ subject: String) -> Failure {
    let text = Visible.line(String(message.prefix(1000)))
    let kinds: [Int: FailureKind] = [
      -32602: .invalidParams, -32601: .methodNotFound, -32600: .invalidRequest,
      -32700: .invalidRequest, -32603: .internalError, -32020: .headerMismatch,
      -32021: .missingCapability,
    ]
    return Failure(
      code == -32022 ? .protocolMismatch : .toolFailed,
      "'\(server.name)' refused \(subject): \(text.isEmpty ? "error \(code)" : text)",
      kind: kinds[code], cause: text.isEmpty ? "error \(code)" : text)
  }
}
