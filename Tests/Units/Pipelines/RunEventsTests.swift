import Events
import Foundation
import Testing

@testable import Core
@testable import Pipelines

struct RunEventsTests {
  private let pipeline = Pipeline(
    id: "0193b3c4-0000-7000-8000-00000000000a", goal: "Compare apples"
  ).with {
    $0.project = "Apples"
    $0.status = .running
    $0.labels = ["team": "blue"]
  }

  private func stage(_ status: StageStatus, error: Failure? = nil) -> Stage {
    Stage(
      id: "0193b3c4-0000-7000-8000-00000000000b", pipelineId: pipeline.id, position: 0,
      role: .researcher, task: "t"
    ).with {
      $0.status = status
      $0.model = "m"
      $0.usage = status == .running ? nil : Usage(inputTokens: 3, outputTokens: 4)
      $0.error = error
    }
  }

  /// What the log of a fresh home holds after some events, without times.
  private func told(_ tell: (RunEvents) throws -> Void) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "agentpipes-events-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let directories = Directories(environment: ["AGENTPIPES_HOME": folder.path])
    let began = Timestamp.now.milliseconds
    try tell(RunEvents(EventJournal(directories)))
    let ended = Timestamp.now.milliseconds
    return try EventLog(directories).read(after: nil, limit: 100).entries.map(\.line).map { line in
      let parsed = try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let ts = try #require(parsed["ts"] as? Int64)
      let id = try #require(parsed["id"] as? String)
      #expect((began...ended).contains(ts))
      return line.replacing("\"ts\":\(ts)", with: "\"ts\":0")
        .replacing("\"id\":\"\(id)\",", with: "")
    }
  }

  @Test func `a run begins, its stages begin and end once, and it ends`() throws {
    let lines = try told { events in
      events.began(pipeline)
      events.saw(stage(.running), of: pipeline)
      events.saw(stage(.running), of: pipeline)
      events.saw(stage(.completed), of: pipeline)
      events.saw(stage(.approved), of: pipeline)
      var ended = pipeline
      ended.status = .completed
      ended.costUSD = 0.5
      events.ended(ended)
    }
    let run = #""swarmId":"0193b3c4-0000-7000-8000-00000000000a""#
    let of = #""agentId":"0193b3c4-0000-7000-8000-00000000000a""#
    let by = #""agentId":"0193b3c4-0000-7000-8000-00000000000b""#
    let session = #""sessionId":"0193b3c4-0000-7000-8000-00000000000b""#
    let trace = #""traceId":"0193b3c400007000800000000000000a""#
    let team = #""labels":{"team":"blue"}"#
    let agent =
      #""gen_ai.agent.name":"researcher","gen_ai.operation.name":"invoke_agent","gen_ai.request.model":"m""#
    let usage =
      #""gen_ai.usage.cache_read.input_tokens":0,"gen_ai.usage.cache_write.input_tokens":0,"gen_ai.usage.input_tokens":3,"gen_ai.usage.output_tokens":4"#
    let span =
      #""name":"invoke_agent","parentSpanId":"800000000000000a","phase":"PHASE",\#(session),"spanId":"800000000000000b",\#(run),\#(trace),"ts":0,"type":"traceEvent"}"#
    let workflow =
      #"\#(team),"name":"invoke_workflow","phase":"PHASE","spanId":"800000000000000a",\#(run),\#(trace),"ts":0,"type":"traceEvent"}"#
    #expect(
      lines == [
        #"{\#(of),"attrs":{"agentpipes.heartbeat_ms":15000,"gen_ai.operation.name":"invoke_workflow","gen_ai.workflow.name":"Apples"},"#
          + workflow.replacing("PHASE", with: "start"),
        #"{\#(of),\#(team),"level":"info","message":"the run of 'Apples' begins",\#(run),"ts":0,"type":"log"}"#,
        #"{\#(by),"attrs":{"agentpipes.heartbeat_ms":15000,\#(agent)},"#
          + span.replacing("PHASE", with: "start"),
        #"{\#(by),"level":"info","message":"researcher begins",\#(session),\#(run),"ts":0,"type":"log"}"#,
        #"{\#(by),"attrs":{"agentpipes.status":"completed",\#(agent),\#(usage)},"#
          + span.replacing("PHASE", with: "end"),
        #"{\#(by),"level":"info","message":"researcher is completed",\#(session),\#(run),"ts":0,"type":"log"}"#,
        #"{\#(by),"level":"info","message":"researcher is approved",\#(session),\#(run),"ts":0,"type":"log"}"#,
        #"{\#(of),"attrs":{"agentpipes.cost_usd":0.5,"agentpipes.status":"completed","gen_ai.operation.name":"invoke_workflow"},"#
          + workflow.replacing("PHASE", with: "end"),
        #"{\#(of),\#(team),"level":"info","message":"the run of 'Apples' is completed",\#(run),"ts":0,"type":"log"}"#,
      ])
  }

  @Test func `a failure is an error, what may go on a warning`() throws {
    let lines = try told { events in
      events.saw(stage(.running), of: pipeline)
      events.saw(
        stage(.waiting, error: Failure(.interrupted, "interrupted")), of: pipeline)
      events.saw(stage(.running), of: pipeline)
      events.saw(
        stage(.failed, error: Failure(.networkUnavailable, "no route")), of: pipeline)
    }
    let levels = try lines.compactMap { line -> String? in
      guard line.contains("\"type\":\"log\"") else { return nil }
      let log = try Log(json: line)
      return "\(log.level.rawValue): \(log.message)"
    }
    #expect(
      levels == [
        "info: researcher begins", "warn: researcher is waiting: interrupted",
        "info: researcher begins", "error: researcher is failed: no route",
      ])
    #expect(lines.count { $0.contains("\"phase\":\"start\"") } == 2)
    #expect(lines.count { $0.contains("\"phase\":\"end\"") } == 2)
  }

  @Test func `what an earlier run did is no event of this one`() throws {
    let lines = try told { events in
      events.saw(stage(.approved), of: pipeline)
      events.saw(
        Artifact(id: "1", role: .producer, title: "t", content: "c", createdAt: .now), of: pipeline)
    }
    #expect(lines.isEmpty)
  }
}
