public import Core
public import HTTP
public import Processes

/// A client of one server: it lists and calls the server's tools over one connection.
///
/// The connection opens with the first request and opens again after it was lost. Requests may run
/// side by side.
///
/// ```swift
/// let client = MCPClient(server, version: "1.0") { () throws(Failure) in try Guardian() }
/// let listing = try await client.tools()
/// let result = try await client.call(listing.tools[0], arguments: .object([:]))
/// await client.close()
/// ```
public actor MCPClient {
  /// A connection whose revision is known.
  struct Connection: Sendable {
    let channel: any MCPChannel
    let revision: MCPRevision
  }

  typealias Opening = Task<Result<Connection, Failure>, Never>

  let server: MCPServer
  let version: String
  let person: (any MCPPerson)?
  let http: HTTPClient
  let guardian: @Sendable () throws(Failure) -> Guardian
  let traceparent: @Sendable () -> String?
  let report: @Sendable (MCPNote) -> Void

  /// The revision that the connection speaks, or that was remembered; nil if it is not known yet.
  public private(set) var revision: MCPRevision?
  private var opening: Opening?
  private var lastToken = 0

  /// Creates a client; nothing is started or sent.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - version: The version of agentpipes, which servers see.
  ///   - person: The person who answers questions of the server; nil declares no such ability. If
  ///     several calls run, questions may arrive at the same time.
  ///   - http: The client for a server on the web.
  ///   - remembered: The revision that an earlier connection found; it is tried first.
  ///   - traceparent: Returns the `traceparent` of the current span (W3C Trace Context); nil for
  ///     none.
  ///   - report: Receives notes.
  ///   - guardian: Returns the guardian of programs. One guardian can watch all programs of a
  ///     process; it is called for each start.
  public init(
    _ server: MCPServer, version: String, person: (any MCPPerson)? = nil,
    http: HTTPClient = HTTPClient(), remembered: MCPRevision? = nil,
    traceparent: @escaping @Sendable () -> String? = { nil },
    report: @escaping @Sendable (MCPNote) -> Void = { _ in },
    guardian: @escaping @Sendable () throws(Failure) -> Guardian
  ) {
    (self.server, self.version, self.person, self.http) = (server, version, person, http)
    (self.traceparent, self.report, self.guardian) = (traceparent, report, guardian)
    revision = server.revision ?? remembered
  }

  /// Ends the connection; a program ends in steps.
  ///
  /// The client can be used again.
  public func close() async {
    guard let opening else { return }
    self.opening = nil
    opening.cancel()
    if case .success(let connection) = await opening.value { await connection.channel.close() }
  }

  // MARK: The connection

  /// Returns the open connection, or opens one.
  ///
  /// Requests that arrive meanwhile wait for the same connection.
  func connection() async throws(Failure) -> Connection {
    while true {
      let current = opening ?? Opening { [revision] in await self.open(remembered: revision) }
      opening = current
      let result = await withTaskCancellationHandler {
        await current.value
      } onCancel: {
        current.cancel()
      }
      switch result {
      case .success(let connection):
        revision = connection.revision
        return connection
      case .failure(let failure):
        if opening == current { opening = nil }
        // If another waiting task was cancelled, this one opens the connection anew.
        guard failure.code == .interrupted, !Task.isCancelled else { throw failure }
      }
    }
  }

  /// Closes a connection that cannot be used any more; the next request opens another.
  ///
  /// - Parameters:
  ///   - lost: The connection.
  ///   - forgetting: `true` if the server turned out to speak another revision.
  func lose(_ lost: Connection, forgetting: Bool = false) async {
    guard let opening, case .success(let current) = await opening.value,
      current.channel === lost.channel, self.opening == opening
    else { return }
    self.opening = nil
    if forgetting, server.revision == nil { revision = nil }
    await lost.channel.close()
  }

  /// Returns a token for progress notifications, which no other request has.
  func nextToken() -> Int {
    lastToken += 1
    return lastToken
  }
}
