import Core
import Testing

@testable import Display

/// A run as it is drawn on a terminal.
@Suite struct RunViewTests {
  private func stage(_ number: Int, _ status: StageStatus, task: String = "Collect") -> Stage {
    Stage(
      id: "s-\(number)", pipelineId: "p", position: number, role: .researcher, task: task
    ).with { $0.status = status }
  }

  private func text(_ width: Int) -> RecordText { RecordText(width: width) }

  @Test func `a change is drawn over what stood there`() throws {
    var view = RunView(canMove: true, showsResults: false)
    _ = try view.show(stage(0, .waiting), text(60), rows: 24)
    _ = try view.show(stage(1, .waiting), text(60), rows: 24)
    let drawn = try view.show(stage(0, .running), text(60), rows: 24)
    #expect(
      drawn == """
        \r\u{1B}[2A\u{1B}[J0  researcher  running  Collect
        1  researcher  waiting  Collect

        """)
  }

  @Test func `in a window that became narrower, the rows that its lines take now are drawn over`()
    throws
  {
    var view = RunView(canMove: true, showsResults: false)
    let long = String(repeating: "long ", count: 30)
    _ = try view.show(stage(0, .waiting, task: long), text(100), rows: 24)
    // A line of 100 cells takes three rows of 40.
    let drawn = try view.show(stage(0, .running, task: long), text(40), rows: 24)
    #expect(drawn.hasPrefix("\r\u{1B}[3A\u{1B}[J"))
  }

  @Test func `more stages than the screen has rows are told one after the other`() throws {
    var view = RunView(canMove: true, showsResults: false)
    for number in 0..<4 { _ = try view.show(stage(number, .waiting), text(60), rows: 4) }
    let drawn = try view.show(stage(0, .running), text(60), rows: 4)
    #expect(drawn == "  0  researcher   running            Collect\n")
  }

  @Test func `nothing is drawn into a question, and all is drawn after it`() throws {
    var view = RunView(canMove: true, showsResults: false)
    _ = try view.show(stage(0, .running), text(60), rows: 24)
    let gate = ApprovalGate(
      ts: 1, gateId: "g", status: .pending, summary: "Go on?",
      requestedAt: Timestamp(milliseconds: 1))
    #expect(try view.show(gate, text(60), rows: 24) == "")
    #expect(try view.show(stage(1, .running), text(60), rows: 24) == "")
    #expect(view.redrawn(text(60), rows: 24) == "")
    var decided = gate
    decided.status = .approved
    #expect(try view.show(decided, text(60), rows: 24) == "")
    let drawn = try view.show(stage(0, .approved), text(60), rows: 24)
    #expect(
      drawn == """
        0  researcher  approved  Collect
        1  researcher  running   Collect

        """)
  }

  @Test func `a plan that nobody ran is told at the end, once`() throws {
    var view = RunView(canMove: true, showsResults: true)
    let pipeline = Pipeline(id: "p", goal: "Compare")
    #expect(try view.show(pipeline, text(60), rows: 24) == "")
    #expect(try view.show(pipeline, text(60), rows: 24) == "")
    #expect(view.end(text(60)) == "Compare  waiting    p\n")
    #expect(view.end(text(60)) == "")
  }

  @Test func `a run that passes is told as it ends, and nothing is drawn over`() throws {
    var view = RunView(canMove: true, showsResults: true)
    #expect(try view.show(stage(0, .running), text(60), rows: 24) == "")
    #expect(try view.show(stage(0, .completed), text(60), rows: 24) == "")
    let told = try view.show(stage(0, .approved), text(60), rows: 24)
    #expect(told == "  0  researcher   approved           Collect\n")
    #expect(try view.show(stage(0, .approved), text(60), rows: 24) == "")
  }

  @Test func `a file stands below its stage, its path from the home folder on`() throws {
    var view = RunView(canMove: true, showsResults: true)
    var text = text(60)
    text.home = "/home/ann"
    let file = FileRecord(
      path: "/home/ann/Documents/a.md", status: .created, bytes: 1, sha256: "00")
    _ = try view.show(stage(0, .running), text, rows: 24)
    #expect(try view.show(file, text, rows: 24) == "")
    let told = try view.show(stage(0, .approved), text, rows: 24)
    let row = "created    ~/Documents/a.md\n"
    #expect(told == "  0  researcher   approved           Collect\n" + row)
    #expect(try view.show(file, text, rows: 24) == row)
    _ = try view.show(stage(1, .running), text, rows: 24)
    _ = try view.show(file, text, rows: 24)
    #expect(view.end(text) == row)
    let other = FileRecord(path: "/home/anne/a.md", status: .created, bytes: 1, sha256: "00")
    #expect(try text.text(other) == "created    /home/anne/a.md\n")
  }
}
