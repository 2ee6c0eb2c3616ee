import Core

/// A request that was given an id and waits for its answer.
struct PendingRequest: Sendable {
  /// The time that progress may extend a request to, as a multiple of its time limit.
  private static let maximumExtension = 60

  let request: MCPRequest
  let receive: @Sendable (MCPIncoming) async -> MCPReply?
  let waiting: CheckedContinuation<Result<MCPReply, Failure>, Never>
  let timeout: Duration
  /// The instant at which the time is over.
  private(set) var deadline: ContinuousClock.Instant
  /// The instant beyond which nothing extends the time.
  private let last: ContinuousClock.Instant
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
    (self.request, self.timeout, self.receive, self.waiting) = (request, timeout, receive, waiting)
    deadline = .now + timeout
    last = .now + timeout * Self.maximumExtension
  }

  /// The token by which progress notifications name the request.
  var progressToken: JSONValue? { request.params["_meta"]?.members?["progressToken"] }

  /// `true` if a server that gets no answer to the request wants to hear that it was cancelled.
  ///
  /// `initialize` must not be cancelled, and a probe precedes it.
  var isCancellable: Bool { !["initialize", "server/discover"].contains(request.method) }

  /// Begins the time anew.
  mutating func extend() { deadline = min(.now + timeout, last) }
}
