package import Asking
package import Core
public import Events
import Synchronization

/// A reporter that writes a run's events to the event log.
///
/// Each event is written before the run continues. If the log cannot be written, that is reported
/// once. The run still continues, because its results are in the store.
public final class RunEvents: Sendable {
  private struct State {
    /// The last reported status of each stage.
    var stages: [String: StageStatus] = [:]
    /// The stages whose spans are open, by stage id.
    var open: [String: Stage] = [:]
  }

  private let sink: any EventSink
  private let heartbeat: Double
  private let state = Mutex(State())

  /// Creates a reporter that sends events to the given sink, such as a journal.
  ///
  /// - Parameters:
  ///   - sink: The event sink.
  ///   - heartbeat: The interval between the heartbeats of a run, in seconds.
  public init(_ sink: any EventSink, heartbeat: Double = 15) {
    self.heartbeat = heartbeat
    self.sink = sink
  }

  /// Reports heartbeats of the given pipeline and its stages until the task is cancelled.
  package func beat(_ pipeline: Pipeline) async {
    while (try? await Task.sleep(for: .milliseconds(Int64(heartbeat * 1000)))) != nil {
      let stages = state.withLock { $0.open.values.filter { $0.pipelineId == pipeline.id } }
      let now = Timestamp.now
      let beat: EventAttributes = [.heartbeat: .bool(true)]
      append(
        [span(pipeline).event(.progress, beat, at: now)]
          + stages.map { span($0, pipeline).event(.progress, beat, at: now) })
    }
  }

  /// Reports that a run applied the given control.
  package func steered(_ control: Control) { append([control]) }

  /// Reports that a model was called.
  package func called(
    _ call: Call, by stage: Stage?, of pipeline: Pipeline, _ failure: Failure?, maxTokens: Int?,
    redundancy: Double?
  ) {
    var attributes = Self.attributes(call.usage, call.costUSD, failure)
    attributes[.requestModel] = .string(call.model)
    attributes[.tool] = .string(stage == nil ? "ceo-plan" : "stage-run")
    attributes[.maxContextTokens] = maxTokens.map(JSONValue.int)
    attributes[.redundancy] = redundancy.map(JSONValue.double)
    if let end = call.finishedAt {
      let milliseconds = (end.seconds(since: call.startedAt) * 1000).rounded()
      attributes[.durationMilliseconds] = .int(Int(milliseconds))
    }
    let owner = stage?.id ?? pipeline.id
    var chat = EventSpan(.chat, agentId: owner, spanId: EventSpan.spanId(of: call.id))
    chat.swarmId = pipeline.id
    chat.sessionId = owner
    chat.traceId = EventSpan.traceId(of: pipeline.id)
    chat.parentSpanId = EventSpan.spanId(of: owner)
    chat.labels = stage?.labels ?? pipeline.labels
    append([chat.event(nil, attributes, at: .now)])
  }

  /// Reports the start of planning.
  ///
  /// The pipeline already has its final id.
  package func planning(_ pipeline: Pipeline) {
    append([
      span(pipeline, .plan)
        .event(.start, Self.name(pipeline), at: .now)
    ])
  }

  /// Reports the end of planning: the pipeline waits to run, or planning failed.
  package func planned(_ pipeline: Pipeline, _ failure: Failure?) {
    var attributes = Self.attributes(pipeline.usage, pipeline.costUSD, failure)
    attributes[.status] = .string(failure == nil ? "waiting" : "failed")
    let name = pipeline.namedProject.map { "'\($0)'" } ?? "the pipeline"
    let message = failure == nil ? "\(name) is planned" : "there is no plan"
    append([
      span(pipeline, .plan).event(.end, attributes, at: .now),
      log(pipeline, Self.level(failure), Self.message(message, failure)),
    ])
  }

  /// Reports that the given pipeline starts or resumes.
  package func began(_ pipeline: Pipeline) {
    var attributes = Self.name(pipeline)
    attributes[.heartbeatMilliseconds] = .int(Int(heartbeat * 1000))
    append([
      span(pipeline).event(.start, attributes, at: .now),
      log(pipeline, .info, "\(Self.run(pipeline)) begins"),
    ])
  }

  /// Reports that the given pipeline has ended or paused.
  package func ended(_ pipeline: Pipeline) {
    var attributes = Self.attributes(pipeline.usage, pipeline.costUSD, pipeline.error)
    attributes[.status] = .string(pipeline.status.rawValue)
    let message = "\(Self.run(pipeline)) is \(pipeline.status.rawValue)"
    append([
      span(pipeline).event(.end, attributes, at: .now),
      log(pipeline, Self.level(pipeline.error), Self.message(message, pipeline.error)),
    ])
  }

  /// Reports the events that follow from a record in the run's output, such as a stage or a gate.
  package func saw(_ record: any StreamRecord, of pipeline: Pipeline) {
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
      let log = log(stage, of: pipeline, .info, "\(name) begins")
      let start: EventAttributes = [.heartbeatMilliseconds: .int(Int(heartbeat * 1000))]
      return isOpen ? [] : [span(stage, pipeline).event(.start, start, at: .now), log]
    }
    // The output repeats the result of an earlier run, but its event was reported then.
    guard let before, before != stage.status else { return [] }
    let message = Self.message("\(name) is \(stage.status.rawValue)", stage.error)
    let log = log(stage, of: pipeline, Self.level(stage.error), message)
    guard isOpen else { return [log] }
    var attributes = Self.attributes(stage.usage, stage.costUSD, stage.error)
    let isTerminated = stage.error?.kind == .terminated
    attributes[.status] = .string(isTerminated ? "terminated" : stage.status.rawValue)
    return [span(stage, pipeline).event(.end, attributes, at: .now), log]
  }

  private func append(_ events: [any Event]) {
    // The log is written before the record, so that a reader of the record finds the same state in
    // it.
    sink.record(events)
  }

  // MARK: Events

  /// Returns the pipeline's name for events.
  ///
  /// It is the project that the user named, and never the goal.
  private static func name(_ pipeline: Pipeline) -> EventAttributes {
    var attributes: EventAttributes = [:]
    attributes[.workflowName] = pipeline.namedProject.map(JSONValue.string)
    return attributes
  }

  private static func run(_ pipeline: Pipeline) -> String {
    pipeline.namedProject.map { "the run of '\($0)'" } ?? "the run"
  }

  private func span(
    _ pipeline: Pipeline, _ operation: EventOperation = .invokeWorkflow
  ) -> EventSpan {
    var span = EventSpan(
      operation, agentId: pipeline.id, spanId: EventSpan.spanId(of: pipeline.id))
    span.swarmId = pipeline.id
    span.traceId = EventSpan.traceId(of: pipeline.id)
    span.labels = pipeline.labels
    return span
  }

  private func span(_ stage: Stage, _ pipeline: Pipeline) -> EventSpan {
    var span = EventSpan(
      .invokeAgent, agentId: stage.id, spanId: EventSpan.spanId(of: stage.id),
      attributes: [.agentName: .string(stage.role.rawValue)])
    span.attributes[.requestModel] = stage.model.map(JSONValue.string)
    span.swarmId = pipeline.id
    span.sessionId = stage.id
    span.traceId = EventSpan.traceId(of: pipeline.id)
    span.parentSpanId = EventSpan.spanId(of: pipeline.id)
    span.labels = stage.labels
    return span
  }

  private func log(_ pipeline: Pipeline, _ level: Log.Level, _ message: String) -> Log {
    var log = Log(
      ts: Timestamp.now.milliseconds, agentId: pipeline.id, level: level, message: message)
    log.swarmId = pipeline.id
    log.labels = pipeline.labels
    return log
  }

  private func log(
    _ stage: Stage, of pipeline: Pipeline, _ level: Log.Level, _ message: String
  ) -> Log {
    var log = Log(
      ts: Timestamp.now.milliseconds, agentId: stage.id, level: level, message: message)
    log.swarmId = pipeline.id
    log.sessionId = stage.id
    log.labels = stage.labels
    return log
  }

  private static func attributes(
    _ usage: Usage?, _ costUSD: Double?, _ error: Failure?
  ) -> EventAttributes {
    var attributes = usage.map { EventAttributes($0) } ?? [:]
    attributes[.costUSD] = costUSD.map(JSONValue.double)
    attributes[.errorType] = error.map { .string($0.code.rawValue) }
    return attributes
  }

  /// Returns the level at which the given failure is logged: a warning if the run can resume,
  /// otherwise an error.
  private static func level(_ error: Failure?) -> Log.Level {
    switch error?.code {
    case nil: .info
    case .paused, .budgetExceeded, .interrupted, .userRejected: .warn
    default: .error
    }
  }

  private static func message(_ message: String, _ error: Failure?) -> String {
    error.map { "\(message): \($0.storedExplanation)" } ?? message
  }
}

extension FailureKind {
  /// The kind of the failure with which a run ends if a person terminates it.
  package static let terminated = Self(rawValue: "terminated")
}
