import Testing

@testable import Stages

struct RunOptionsTests {
  @Test func `options of a run are kept and given ones win`() {
    var first = RunOptions()
    first.yolo = true
    first.maxCost = 0.5
    first.effort = "low"
    var second = RunOptions()
    second.maxCost = 2
    let merged = second.over(first.json)
    #expect(merged.yolo == true)
    #expect(merged.maxCost == 2)
    #expect(merged.effort == "low")
    #expect(RunOptions().over(nil) == RunOptions())
  }
}
