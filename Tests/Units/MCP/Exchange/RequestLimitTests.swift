import Testing

@testable import MCP

struct RequestLimitTests {
  @Test func `messages begin the time anew, but not without end`() {
    let begun = ContinuousClock.now
    var limit = RequestLimit(.microseconds(1))
    let first = limit.deadline
    while ContinuousClock.now < begun + .milliseconds(1) { limit.extend() }
    #expect(limit.deadline > first)
    #expect(limit.deadline < begun + .milliseconds(1))
    let end = limit.deadline
    limit.extend()
    #expect(limit.deadline == end)
  }
}
