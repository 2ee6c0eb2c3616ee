import HTTP
import Testing

struct BackoffTests {
  @Test func `pauses double from the first to the longest`() {
    var backoff = Backoff(first: 0.5, longest: 3)
    var pauses = [backoff.seconds]
    for _ in 0..<5 {
      backoff.grow()
      pauses.append(backoff.seconds)
    }
    #expect(pauses == [0, 0.5, 1, 2, 3, 3])
  }

  @Test func `a success begins again`() {
    var backoff = Backoff(first: 0.02, longest: 0.32)
    for _ in 0..<9 { backoff.grow() }
    backoff.reset()
    #expect(backoff.seconds == 0)
    backoff.grow()
    #expect(backoff.seconds == 0.02)
  }

  @Test func `jitter takes half of a pause at most`() {
    var backoff = Backoff(first: 4, longest: 4)
    #expect(backoff.jittered == 0)
    backoff.grow()
    for _ in 0..<100 { #expect((2...4).contains(backoff.jittered)) }
  }
}
