import Core

/// A request that was given an id and waits for its answer.
struct PendingRequest: Sendable {
  let request: MCPRequest
  let receive: @Sendable (MCPIncoming) async -> MCPReply?
  let waiting: CheckedContinuation<Result<MCPReply, Failure>, Never>
  var limit: RequestLimit
  /// The task that ends the request when its time is over.
  var timer: Task<Void, Never>?
  /// `true` once a byte of the request may have arrived.
  var isSent = false
  /// `true` while a progress notification is handled; further ones are dropped.
  var isReporting = false

  init(
    _ request: MCPRequest, timeout: Duration,
    receive: @escaping @Sendable (MCPIncoming) async -> MCPReply?,
    waiting: CheckedContinuation<Result<MCPReply, Failure>, Never>
  ) {
    (self.request, self.receive, self.waiting) = (request, receive, waiting)
    limit = RequestLimit(timeout)
  }

  /// The token by which progress notifications name the request.
  var progressToken: JSONValue? { request.params["_meta"]?.members?["progressToken"] }

  /// `true` if a server that gets no answer to the request wants to hear that it was cancelled.
  ///
  /// `initialize` must not be cancelled, and a probe precedes it.
  var isCancellable: Bool { !["initialize", "server/discover"].contains(request.method) }
}
