public import Core
import Events
import MCP

extension Toolbox {
  /// A function that is called right before a call is sent.
  public typealias Begin = @Sendable (ToolPermission) async throws(Failure) -> Void

  /// Obtains the permission for a call, sends it, and returns its one result.
  ///
  /// - Parameters:
  ///   - request: The call.
  ///   - begin: Called with the permission right before the call is sent. If it throws, the call is
  ///     not sent.
  /// - Returns: The outcome; the result's `error` says why there is no result of the tool.
  public func call(
    _ request: ToolRequest, begin: Begin = { _ in }
  ) async -> ToolOutcome {
    var result = ToolResult(id: request.call.id, name: request.call.name)
    (result.source, result.labels) = (request.call.source, request.call.labels)
    var outcome = ToolOutcome(result: result)
    var span: CallSpan?
    do throws(Failure) {
      try await call(request, begin, &outcome, span: &span)
    } catch {
      outcome.result.isError = true
      outcome.result.error = span == nil ? error : Self.sent(error)
    }
    if let span {
      outcome.result.durationMs = span.milliseconds
      journal?.record([span.event(outcome.result)])
    }
    return outcome
  }

  private func call(
    _ request: ToolRequest, _ begin: Begin, _ outcome: inout ToolOutcome, span: inout CallSpan?
  ) async throws(Failure) {
    let listed = try await tool(of: request)
    (outcome.result.name, outcome.result.source) = (listed.name, listed.source)
    try requireReadOnly(listed)
    try consent.check(listed, isNamed: request.isNamed, in: request.chatId)
    let source = try source(listed.source)
    let current = try await source.current(listed.name)
    let (tool, arguments) = (current.tool, request.call.arguments)
    try request.expected?.check(tool)
    try requireReadOnly(tool)
    try ToolArguments.check(arguments, for: tool, report: report)
    let permission = try await consent.permission(
      for: tool, arguments, isNamed: request.isNamed, in: request.chatId)
    if permission.coversUnseen, let difference = current.difference {
      report(.once("calling '\(Visible.line(tool.fullName))', which \(difference)"))
    }
    try await begin(permission)
    outcome.result.consent = permission.rawValue
    let begun = CallSpan(request.call, in: request.chatId, of: tool)
    span = begun
    let answer = try await begun.cover { () async throws(Failure) in
      try await source.call(tool, arguments)
    }
    // A server that knows a secret of the user must not bring it into records.
    outcome.result.content = answer.content.map(\.redacted)
    outcome.result.structuredContent = answer.structuredContent?.redacted
    outcome.result.isError = answer.isError
    outcome.result.logId = answer.logId
    outcome.mismatch = ToolArguments.mismatch(answer, of: tool)
  }

  /// Returns the given failure of a call that was sent: an interrupted one may have had its effect.
  private static func sent(_ failure: Failure) -> Failure {
    guard failure.code == .interrupted else { return failure }
    return Failure(
      .interrupted, "\(failure.explanation), so its outcome is unknown", kind: .unknownOutcome)
  }

  private func tool(of request: ToolRequest) async throws(Failure) -> ToolRecord {
    if let tool = request.tool { return tool }
    guard let source = request.call.source else { return try await tool(named: request.call.name) }
    return try await tool(named: "\(source)/\(request.call.name)")
  }
}
