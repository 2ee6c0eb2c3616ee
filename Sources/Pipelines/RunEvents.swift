public import Core
import Synchronization

/// Tells the event log what runs do, for whoever watches.
///
/// A log that cannot be written is told once and holds up no run: what was paid for is in the store.
public final class RunEvents: Sendable {
  private struct State {
    /// Opened at the first event.
    var log: EventLog?
    var hasFailed = false
    /// How each stage stood when it was last told.
    var stages: [String: StageStatus] = [:]
    /// Stages whose span has begun and not ended.
    var open: [String: Stage] = [:]
  }

  private let directories: Directories
  private let heartbeat: Double
  private let state = Mutex(State())

  /// Tells the log of some directories, which is opened when there is something to tell.
  ///
  /// - Parameters:
  ///   - directories: Where the log is.
  ///   - heartbeat: How often a run tells that it lives, in seconds.
  public init(_ directories: Directories, heartbeat: Double = 15) {
    self.directories = directories
    self.heartbeat = heartbeat
  }

  /// Tells again and again that a run and its stages live, until the task is cancelled.
  func beat(_ pipeline: Pipeline) async {
    while (try? await Task.sleep(for: .milliseconds(Int64(heartbeat * 1000)))) != nil {
      let stages = state.withLock { $0.open.values.filter { $0.pipelineId == pipeline.id } }
      let beat: [String: AttributeValue] = ["agentpipes.heartbeat": .bool(true)]
      append(
        [span(pipeline, .progress, beat)] + stages.map { span($0, pipeline, .progress, beat) })
    }
  }

  /// A run did what a person asked.
  func steered(_ control: Control) { append([control]) }

  /// A model was asked.
  func called(
    _ call: Call, by stage: Stage?, of pipeline: Pipeline, _ failure: Failure?, maxTokens: Int?,
    redundancy: Double?
  ) {
    var attrs = Self.attributes(call.usage, call.costUSD, failure)
    attrs["gen_ai.operation.name"] = .string("chat")
    attrs["gen_ai.request.model"] = .string(call.model)
    attrs["agentpipes.context.max_tokens"] = maxTokens.map(AttributeValue.int)
    attrs["agentpipes.redundancy"] = redundancy.map(AttributeValue.double)
    if let end = call.finishedAt {
      let milliseconds = (end.seconds(since: call.startedAt) * 1000).rounded()
      attrs["agentpipes.duration_ms"] = .int(Int(milliseconds))
    }
    let owner = stage?.id ?? pipeline.id
    append([
      TraceEvent(
        ts: Timestamp.now.milliseconds, swarmId: pipeline.id, agentId: owner, sessionId: owner,
        traceId: Self.traceId(pipeline.id), spanId: Self.spanId(call.id),
        parentSpanId: Self.spanId(owner), name: "chat", attrs: attrs,
        labels: stage?.labels ?? pipeline.labels)
    ])
  }

  /// A plan is asked for; the pipeline has its id already.
  func planning(_ pipeline: Pipeline) {
    append([
      span(pipeline, .start, ["gen_ai.workflow.name": .string(pipeline.projectName)], name: "plan")
    ])
  }

  /// There is a plan, which waits to be run, or there is none.
  func planned(_ pipeline: Pipeline, _ failure: Failure?) {
    var attrs = Self.attributes(pipeline.usage, pipeline.costUSD, failure)
    attrs["agentpipes.status"] = .string(failure == nil ? "waiting" : "failed")
    let message = failure == nil ? "'\(pipeline.projectName)' is planned" : "there is no plan"
    append([
      span(pipeline, .end, attrs, name: "plan"),
      log(pipeline, Self.level(failure), Self.told(message, failure)),
    ])
  }

  /// A pipeline begins to run, or goes on.
  func began(_ pipeline: Pipeline) {
    append([
      span(
        pipeline, .start,
        [
          "gen_ai.workflow.name": .string(pipeline.projectName),
          "agentpipes.heartbeat_ms": .int(Int(heartbeat * 1000)),
        ]),
      log(pipeline, .info, "the run of '\(pipeline.projectName)' begins"),
    ])
  }

  /// A pipeline stopped, for good or until it is resumed.
  func ended(_ pipeline: Pipeline) {
    var attrs = Self.attributes(pipeline.usage, pipeline.costUSD, pipeline.error)
    attrs["agentpipes.status"] = .string(pipeline.status.rawValue)
    let message = "the run of '\(pipeline.projectName)' is \(pipeline.status.rawValue)"
    append([
      span(pipeline, .end, attrs),
      log(pipeline, Self.level(pipeline.error), Self.told(message, pipeline.error)),
    ])
  }

  /// A record of a run, as it is told to whoever reads the run: stages and gates are events too.
  func saw(_ record: any StreamRecord, of pipeline: Pipeline) {
    switch record {
    case let stage as Stage: append(events(of: stage, pipeline))
    case let gate as ApprovalGate: append([gate.event])
    default: return
    }
  }

  private func events(of stage: Stage, _ pipeline: Pipeline) -> [any Event] {
    let name = stage.role.rawValue
    let (before, isOpen) = state.withLock { state in
      let before = state.stages.updateValue(stage.status, forKey: stage.id)
      let isOpen = state.open[stage.id] != nil
      if stage.status == .running {
        state.open[stage.id] = stage
      } else {
        state.open[stage.id] = nil
      }
      return (before, isOpen)
    }
    guard stage.status != .running else {
      let log = log(stage, pipeline, .info, "\(name) begins")
      let start = ["agentpipes.heartbeat_ms": AttributeValue.int(Int(heartbeat * 1000))]
      return isOpen ? [] : [span(stage, pipeline, .start, start), log]
    }
    // A result that an earlier run got is told again in the stream, and happened once.
    guard let before, before != stage.status else { return [] }
    let message = Self.told("\(name) is \(stage.status.rawValue)", stage.error)
    let log = log(stage, pipeline, Self.level(stage.error), message)
    guard isOpen else { return [log] }
    var attrs = Self.attributes(stage.usage, stage.costUSD, stage.error)
    let isTerminated = stage.error?.kind == RunControl.terminated
    attrs["agentpipes.status"] = .string(isTerminated ? "terminated" : stage.status.rawValue)
    return [span(stage, pipeline, .end, attrs), log]
  }

  private func append(_ events: [any Event]) {
    guard !events.isEmpty else { return }
    let failure = state.withLock { state -> Failure? in
      do throws(Failure) {
        if state.log == nil { state.log = try EventLog(directories) }
        try state.log?.append(events)
        state.hasFailed = false
        return nil
      } catch {
        defer { state.hasFailed = true }
        return state.hasFailed ? nil : error
      }
    }
    if let failure { Diagnostics.shared.say("events are not kept: \(failure.explanation)") }
  }

  // MARK: Events

  private func span(
    _ pipeline: Pipeline, _ phase: TraceEvent.Phase, _ attrs: [String: AttributeValue],
    name: String = "invoke_workflow"
  ) -> TraceEvent {
    TraceEvent(
      ts: Timestamp.now.milliseconds, swarmId: pipeline.id, agentId: pipeline.id,
      traceId: Self.traceId(pipeline.id), spanId: Self.spanId(pipeline.id), phase: phase,
      name: name,
      attrs: attrs.merging(["gen_ai.operation.name": .string(name)]) { own, _ in own },
      labels: pipeline.labels)
  }

  private func span(
    _ stage: Stage, _ pipeline: Pipeline, _ phase: TraceEvent.Phase,
    _ attrs: [String: AttributeValue]
  ) -> TraceEvent {
    var attrs = attrs
    attrs["gen_ai.operation.name"] = .string("invoke_agent")
    attrs["gen_ai.agent.name"] = .string(stage.role.rawValue)
    attrs["gen_ai.request.model"] = stage.model.map(AttributeValue.string)
    return TraceEvent(
      ts: Timestamp.now.milliseconds, swarmId: pipeline.id, agentId: stage.id,
      sessionId: stage.id, traceId: Self.traceId(pipeline.id), spanId: Self.spanId(stage.id),
      parentSpanId: Self.spanId(pipeline.id), phase: phase, name: "invoke_agent", attrs: attrs,
      labels: stage.labels)
  }

  private func log(_ pipeline: Pipeline, _ level: Log.Level, _ message: String) -> Log {
    Log(
      ts: Timestamp.now.milliseconds, swarmId: pipeline.id, agentId: pipeline.id, level: level,
      message: message, labels: pipeline.labels)
  }

  private func log(
    _ stage: Stage, _ pipeline: Pipeline, _ level: Log.Level, _ message: String
  ) -> Log {
    Log(
      ts: Timestamp.now.milliseconds, swarmId: pipeline.id, agentId: stage.id,
      sessionId: stage.id, level: level, message: message, labels: stage.labels)
  }

  private static func attributes(
    _ usage: Usage?, _ costUSD: Double?, _ error: Failure?
  ) -> [String: AttributeValue] {
    var attrs: [String: AttributeValue] = [:]
    if let usage {
      attrs["gen_ai.usage.input_tokens"] = .int(usage.inputTokens)
      attrs["gen_ai.usage.output_tokens"] = .int(usage.outputTokens)
      attrs["gen_ai.usage.cache_read.input_tokens"] = .int(usage.cacheReadTokens)
      attrs["gen_ai.usage.cache_write.input_tokens"] = .int(usage.cacheWriteTokens)
    }
    attrs["agentpipes.cost_usd"] = costUSD.map(AttributeValue.double)
    attrs["error.type"] = error.map { .string($0.code.rawValue) }
    return attrs
  }

  /// What stops a run that may go on is a warning; what ended it, an error.
  private static func level(_ error: Failure?) -> Log.Level {
    switch error?.code {
    case nil: .info
    case .paused, .budgetExceeded, .interrupted, .userRejected: .warn
    default: .error
    }
  }

  private static func told(_ message: String, _ error: Failure?) -> String {
    error.map { "\(message): \($0.explanation)" } ?? message
  }

  /// The digits of a UUID, which are as many as a trace's id has.
  private static func traceId(_ id: String) -> String {
    let digits = id.lowercased().filter(\.isHexDigit).filter(\.isASCII)
    return digits.count == 32 ? digits : String(SHA256Digest.hexadecimal(Array(id.utf8)).prefix(32))
  }

  /// The last digits of a UUIDv7, which are random.
  private static func spanId(_ id: String) -> String { String(traceId(id).suffix(16)) }
}
