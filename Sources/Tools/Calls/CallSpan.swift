import Core
import Events

/// The span of one call, which the event log and the trace of the server share.
///
/// It contains neither arguments nor results.
struct CallSpan: Sendable {
  /// The span of the call that the current task makes.
  @TaskLocal static var current: Self?

  private static let agent = "tool-call"
  /// The type of an error that the tool reported (OpenTelemetry's conventions for MCP).
  private static let toolError = "tool_error"

  private var span: EventSpan
  private let traceId: String
  private let began = ContinuousClock.now

  /// Creates the span of the given call of a tool, which begins now.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - chatId: The chat of the call; nil for none.
  ///   - tool: The tool.
  init(_ call: ToolCall, in chatId: String?, of tool: ToolRecord) {
    traceId = chatId.map(EventSpan.traceId) ?? EventSpan.newTraceId()
    span = EventSpan(
      .executeTool, agentId: chatId ?? Self.agent, spanId: EventSpan.newId(),
      attributes: [
        .toolName: .string(tool.fullName), .toolCallId: .string(call.id),
        .tool: .string(chatId == nil ? Self.agent : "chat-send"),
      ])
    (span.traceId, span.sessionId) = (traceId, chatId)
    (span.skillId, span.labels) = (tool.fullName, call.labels)
  }

  /// The value of the field `traceparent` (W3C Trace Context).
  var traceparent: String { "00-\(traceId)-\(span.spanId)-01" }

  /// The milliseconds since the beginning.
  var milliseconds: Double {
    ((ContinuousClock.now - began) / .microseconds(1)).rounded() / 1000
  }

  /// Returns the event that describes the span with the given result.
  func event(_ result: ToolResult) -> TraceEvent {
    var attributes: EventAttributes = [
      .durationMilliseconds: .double(result.durationMs ?? milliseconds)
    ]
    if let type = result.error?.code.rawValue ?? (result.isError ? Self.toolError : nil) {
      attributes[.errorType] = .string(type)
    }
    return span.event(nil, attributes, at: .now)
  }

  /// Does the given work as the span's.
  func cover<Value: Sendable>(
    _ work: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await Self.$current.withValue(self) { () async -> Result<Value, Failure> in
      do throws(Failure) {
        return .success(try await work())
      } catch {
        return .failure(error)
      }
    }.get()
  }
}
