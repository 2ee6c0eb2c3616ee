import Core

extension MCPClient {
  /// The outcome of a probe.
  private enum Era {
    /// The server needs no handshake.
    case modern
    /// The server begins with a handshake that offers the revision. The flag is `true` if the
    /// connection can still be used for it.
    case handshake(MCPRevision, sameConnection: Bool)
  }

  /// `true` if the server is a program.
  nonisolated var isProgram: Bool {
    if case .program = server.place { true } else { false }
  }

  /// Opens a connection, and finds the server's revision.
  nonisolated func open(remembered: MCPRevision?) async -> Result<Connection, Failure> {
    do throws(Failure) {
      guard let wanted = server.revision else { return .success(try await find(remembered)) }
      guard wanted.isKnown else { throw mismatch("'\(wanted.rawValue)' is not known") }
      return .success(try await begin(wanted, isOnlyOne: true))
    } catch {
      return .failure(error)
    }
  }

  private nonisolated func find(_ remembered: MCPRevision?) async throws(Failure) -> Connection {
    if let remembered, remembered.isKnown {
      // Over a pipe, the probe costs nothing, and shows whether the memory is right. Over HTTP, the
      // first request does.
      if remembered.isModern, !isProgram {
        return Connection(channel: try await openChannel(), revision: remembered)
      }
      if !remembered.isModern {
        do throws(Failure) {
          return try await begin(remembered)
        } catch {
          guard [.protocolMismatch, .timeout].contains(error.code) else { throw error }
        }
      }
    }
    let channel = try await openChannel()
    do throws(Failure) {
      switch try await probe(channel) {
      case .modern: return Connection(channel: channel, revision: .modern)
      case .handshake(let offered, sameConnection: true):
        if let connection = try await handshakeAfterProbe(channel, offered) { return connection }
        await channel.close()
        return try await begin(offered)
      case .handshake(let offered, sameConnection: false):
        await channel.close()
        return try await begin(offered)
      }
    } catch {
      await channel.close()
      throw error
    }
  }

  /// Opens a connection of the given revision without a probe.
  private nonisolated func begin(
    _ revision: MCPRevision, isOnlyOne: Bool = false
  ) async throws(Failure) -> Connection {
    let channel = try await openChannel()
    guard !revision.isModern else { return Connection(channel: channel, revision: revision) }
    do throws(Failure) {
      guard let connection = try await handshake(channel, revision) else {
        throw mismatch("it refuses a handshake")
      }
      guard !isOnlyOne || connection.revision == revision else {
        throw mismatch("it offers \(connection.revision.rawValue)")
      }
      return connection
    } catch {
      await channel.close()
      throw error
    }
  }

  /// Finds out whether the server needs a handshake.
  ///
  /// No error code is a sign of the older revisions: their servers answer an unknown method with
  /// any code, not at all, or end.
  private nonisolated func probe(_ channel: any MCPChannel) async throws(Failure) -> Era {
    let request = MCPRequest(
      method: "server/discover", params: ["_meta": .object(meta(.modern))], isRepeatable: true)
    do throws(Failure) {
      let reply = try await channel.exchange(
        request, .modern,
        timeout: isProgram ? min(server.patience, server.timeout) : server.timeout,
        receive: { _ in nil })
      switch reply {
      case .result(let result): return try era(result["supportedVersions"])
      case .error(-32022, _, let data): return try era(data?.members?["supported"])
      case .error(-32021, _, _), .error(-32020, _, _): return .modern
      // Over HTTP, an error of a server of the older revisions is a failure of the kind `otherEra`.
      case .error where !isProgram: return .modern
      case .error: return .handshake(MCPRevision.handshakes[0], sameConnection: true)
      }
    } catch {
      let isSilent = error.code == .timeout && isProgram
      guard isSilent || error.kind == .otherEra || error.kind == .notStarted,
        error.kind != .notStarted || isProgram
      else { throw error }
      return .handshake(
        MCPRevision.handshakes[0], sameConnection: error.kind != .notStarted)
    }
  }

  /// Chooses one of the revisions that a server without a handshake lists.
  private nonisolated func era(_ list: JSONValue?) throws(Failure) -> Era {
    guard case .array(let names)? = list else { return .modern }
    if names.contains(.string(MCPRevision.modern.rawValue)) { return .modern }
    if let older = MCPRevision.handshakes.first(where: { names.contains(.string($0.rawValue)) }) {
      return .handshake(older, sameConnection: !isProgram)
    }
    let shown = names.prefix(10).map { if case .string(let name) = $0 { name } else { "?" } }
    throw mismatch(
      "it speaks " + Visible.line(String(shown.joined(separator: ", ").prefix(200))))
  }

  /// Begins a connection of the older revisions on a pipe on which the probe was sent.
  ///
  /// - Returns: The connection; nil if the server refuses, or ended because of the probe.
  private nonisolated func handshakeAfterProbe(
    _ channel: any MCPChannel, _ offered: MCPRevision
  ) async throws(Failure) -> Connection? {
    do throws(Failure) {
      return try await handshake(channel, offered)
    } catch {
      guard isProgram, error.kind == .notStarted || error.code == .networkUnavailable else {
        throw error
      }
      return nil
    }
  }

  /// Begins a connection of the older revisions.
  ///
  /// - Returns: The connection; nil if the server answers with an error.
  private nonisolated func handshake(
    _ channel: any MCPChannel, _ offered: MCPRevision
  ) async throws(Failure) -> Connection? {
    let request = MCPRequest(
      method: "initialize",
      params: [
        "protocolVersion": .string(offered.rawValue), "capabilities": capabilities,
        "clientInfo": clientInfo,
      ], isRepeatable: true)
    let reply = try await channel.exchange(
      request, nil, timeout: server.timeout, receive: { await self.reply(to: $0) })
    switch reply {
    case .error(-32022, _, let data):
      // The probe has opened the connection, but its answer came late.
      guard case .modern = try era(data?.members?["supported"]) else { return nil }
      return Connection(channel: channel, revision: .modern)
    case .error: return nil
    case .result(let result):
      guard case .string(let name)? = result["protocolVersion"] else {
        throw Failure(.invalidResponse, "'\(server.name)' answered without a protocol version")
      }
      let agreed = MCPRevision(rawValue: name)
      guard MCPRevision.handshakes.contains(agreed) else {
        throw mismatch("it offers " + Visible.line(String(name.prefix(60))))
      }
      try await channel.notify("notifications/initialized", [:], agreed)
      return Connection(channel: channel, revision: agreed)
    }
  }

  private nonisolated func mismatch(_ reason: String) -> Failure {
    Failure(
      .protocolMismatch, "no revision of the protocol in common with '\(server.name)': \(reason)")
  }

  private nonisolated func openChannel() async throws(Failure) -> any MCPChannel {
    switch server.place {
    case .program(let words, let environment, let folder):
      return try ProgramChannel(
        server.name, words, environment: environment, folder: folder,
        guardian: try guardian(), report: report)
    case .web(let url, let fields, let access):
      return webChannel(url, fields, access)
    }
  }

  // MARK: The client's own words

  /// The capabilities that are declared.
  nonisolated var capabilities: JSONValue {
    guard person != nil else { return .object([:]) }
    return .object(["elicitation": .object(["form": .object([:]), "url": .object([:])])])
  }

  private nonisolated var clientInfo: JSONValue {
    .object(["name": .string("agentpipes"), "version": .string(version)])
  }

  /// Returns the `_meta` of a request of the given revision.
  nonisolated func meta(_ revision: MCPRevision) -> [String: JSONValue] {
    var meta: [String: JSONValue] = [:]
    if revision.isModern {
      let prefix = "io.modelcontextprotocol/"
      meta[prefix + "protocolVersion"] = .string(revision.rawValue)
      meta[prefix + "clientCapabilities"] = capabilities
      meta[prefix + "clientInfo"] = clientInfo
    }
    if let parent = traceparent() { meta["traceparent"] = .string(parent) }
    return meta
  }
}
