import Testing

@testable import Remote

/// Pauses after connections were lost.
struct LossPausesTests {
  private let start = ContinuousClock.now

  @Test func `losses are followed at once, and many in a minute ever later`() {
    var pauses = LossPauses()
    let seconds = (0..<13).map { pauses.pause(afterLossAt: start + .seconds($0)) }
    #expect(seconds == [0, 0, 0, 0, 0, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10, 10])
    #expect(pauses.pause(afterLossAt: start + .seconds(65)) == 0.8)
    #expect(pauses.pause(afterLossAt: start + .seconds(200)) == 0)
  }

  @Test func `attempts that fail are ever further apart`() {
    let seconds = [1, 2, 3, 7, 1_000_000].map { LossPauses.pause($0) }
    #expect(seconds == [0.2, 0.4, 0.8, 10, 10])
  }
}
