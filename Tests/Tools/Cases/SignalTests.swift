import Foundation
import TestSupport
import Testing

@Suite("signals")
struct SignalTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGXCPU])
  func `a signal in the middle of an answer leaves a resumable run`(_ signal: Int32) async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        #"[{"when":"Job 1","holdFile":"\#(scratch.path("go"))","holdAt":"half"}]"#)
      try scratch.write("work/plan.ndjson", Plan.three)
      let running = try scratch.starting("stage-run", "--yolo", "--stream", input: Plan.three)
      try await scratch.until("half an answer came") {
        running.output.contains(#""type":"delta"}"#) && server.requests.count == 2
          && Record.all(in: running.output).last?.type == "delta"
      }
      running.child.signal(signal)
      let run = await running.ended()
      #expect(run.endings == [.signal(signal)])
      #expect(run.records("stage").map(\.status) == ["running", "approved", "running", "waiting"])
      #expect(run.records("stage").last?["error.code"] == "Interrupted")
      #expect(run.records("pipeline").map(\.status) == ["paused"])
      #expect(run.records("stage").last?.value("usage") == nil)
      #expect(run.records("stage").last?.value("costUSD") == nil)
      try scratch.write("go", "")
      let resumed = try await scratch.shell("stage-run --resume")
      #expect(resumed.statuses == [0])
      #expect(resumed.records("artifact").count == 3)
      #expect(resumed.records("pipeline").map(\.status) == ["completed"])
      #expect(server.requests.count == 4)
      // What the broken attempt used is not forgotten, though nobody knows how much it was.
      #expect(
        resumed.records("stage").filter { $0.status == "approved" }.map {
          $0.number("costUSD") != nil
        } == [true, false, true])
    }
  }

  @Test func `a signal while input is awaited ends every filter`() async throws {
    try await Scratch.with { scratch in
      for tool in ["export-md", "stage-run", "ceo-plan", "web-fetch", "stream-tail -"] {
        let running = try scratch.starting(tool, input: nil)
        running.writer?.write(#"{"type":"strange"}"# + "\n")
        if tool != "stage-run" {
          try await scratch.until("\(tool) runs") { running.output != "" }
        } else {
          try await scratch.until("it runs") { running.output != "" }
        }
        running.child.signal(SIGTERM)
        let ending = await running.child.ended()
        #expect(ending == .signal(SIGTERM), "\(tool)")
        #expect(running.errors == "", "\(tool)")
      }
    }
  }

  @Test func `a signal while a gate is awaited leaves the gate waiting`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels()
      let running = try scratch.starting("stage-run", "--wait", input: Plan.one)
      try await scratch.until("the gate is told") {
        running.output.contains(#""status":"pending""#)
      }
      running.child.signal(SIGINT)
      let run = await running.ended()
      #expect(run.endings == [.signal(SIGINT)])
      #expect(run.records("pipeline").map(\.status) == ["paused"])
      let waiting = try await scratch.shell("gate-decide list")
      #expect(waiting.records.count == 1)
    }
  }

  @Test func `a signal while a retry is awaited ends at once`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        #"[{"status":429,"times":0,"headers":{"retry-after":"500"}}]"#)
      let running = try scratch.starting("stage-run", "--yolo", input: Plan.one)
      try await scratch.until("it was refused") { server.log("answer").count == 1 }
      running.child.signal(SIGINT)
      let run = await running.ended()
      #expect(run.endings == [.signal(SIGINT)])
      #expect(run.records("pipeline").map(\.status) == ["paused"])
    }
  }
}
