import Core
import HTTP
import Synchronization

extension WebChannel {
  /// The errors by which a server shows that it speaks 2026-07-28: HeaderMismatch,
  /// MissingRequiredClientCapability, UnsupportedProtocolVersion.
  private static let modernErrors: Set = [-32020, -32021, -32022]

  /// Returns the answer that a refusal contains, or throws the failure that it means.
  func reply(_ head: HTTPHead, _ body: [UInt8], to call: WebCall) throws(Failure) -> MCPReply {
    let failure = refusal(head, body, in: call.session)
    switch head.status {
    case 300...399, 401, 403, 429, 503, 529: throw failure
    case 404 where failure.kind == .sessionGone: throw failure
    default: break
    }
    if let (id, error) = Self.error(in: body) {
      return try judged(error, call, status: head.status, isOwn: id == .int(call.id))
    }
    guard head.status < 500, head.status != 408 else {
      // A gateway may have lost the answer of a server that acted.
      throw call.request.isRepeatable ? failure : lost(call, status: head.status)
    }
    throw call.isModern ? otherEra(head.status) : failure
  }

  /// Returns the given answer, unless it shows that the server does not speak 2026-07-28.
  ///
  /// A server that refuses a request of an unknown revision does not read its id. A server of
  /// 2026-07-28 may refuse a call with the same status and code after it ran a part of it.
  func judged(
    _ reply: MCPReply, _ call: WebCall, status: Int = 200, isOwn: Bool = true
  ) throws(Failure) -> MCPReply {
    guard call.isModern, case .error(let code, _, _) = reply, !Self.modernErrors.contains(code),
      !(status == 404 && code == -32601), call.isProbe || status < 500 && !isOwn
    else { return reply }
    throw otherEra(status)
  }

  private func otherEra(_ status: Int) -> Failure {
    Failure(
      .protocolMismatch, "'\(place.name)' does not speak \(MCPRevision.modern.rawValue)",
      kind: .otherEra, status: status, url: place.shownURL)
  }

  /// Returns the failure for the given refusal of a message in the given session.
  func refusal(_ head: HTTPHead, _ body: [UInt8], in session: String?) -> Failure {
    var failure = Failure(
      httpStatus: head.status, head: head, url: place.url, message: Self.message(in: body))
    switch head.status {
    case 300...399:
      let target = Failure.shownURL(head.value("location") ?? "")
      failure.code = .notFound
      failure.kind = .redirected
      failure.explanation = "'\(place.shownURL)' redirects to '\(target)'"
      failure.nextStep = "configure the server's new address"
    case 401:
      failure.code = .authExpired
      failure.explanation = "'\(place.name)' requires a login"
      failure.nextStep = "run 'tool-call login \(place.name)'"
    case 404 where session != nil:
      if let session { self.session.withLock { $0.end(session) } }
      failure.kind = .sessionGone
      failure.explanation = "'\(place.name)' has ended the session"
    case 404, 405, 410:
      failure.code = .notFound
      failure.explanation =
        "'\(place.shownURL)' is not an MCP server: it answered \(head.status)"
    default: break
    }
    return failure
  }

  /// Returns the failure for a call whose answer was lost.
  func lost(_ call: WebCall, status: Int? = nil) -> Failure {
    guard call.request.isRepeatable else {
      return Failure(
        .toolFailed, "the answer of '\(place.name)' was lost, and the call may have run",
        kind: .unknownOutcome, status: status, url: place.shownURL,
        nextStep: "find out whether the call ran before you repeat it")
    }
    return Failure(
      .networkUnavailable, "the answer of '\(place.name)' was lost", kind: .reset,
      url: place.shownURL)
  }

  /// Returns the error in the body of a refusal, and the id that it answers.
  private static func error(in body: [UInt8]) -> (JSONValue?, MCPReply)? {
    for case .answer(let id, let reply) in MCPMessage.read(body) ?? [] {
      if case .error = reply { return (id, reply) }
    }
    return nil
  }

  private static func message(in body: [UInt8]) -> String? {
    guard case .error(_, let text, _)? = error(in: body)?.1 else { return nil }
    return Visible.line(String(text.prefix(500)))
  }
}
