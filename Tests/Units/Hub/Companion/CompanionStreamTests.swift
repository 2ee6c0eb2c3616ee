import Core
import Storage
import TestSupport
import Testing

@testable import Hub

struct CompanionStreamTests {
  @Test func `one clock pings the readers that heard nothing for a quarter of a minute`()
    async throws
  {
    let home = try Home()
    let openings = Openings(HubThreads(), reading: [try Store(home.directories)])
    let (quiet, busy) = (CompanionStream(), CompanionStream())
    for stream in [quiet, busy] {
      _ = openings.add(.answer, to: .owner, tick: { stream.tick() }) { _ in stream.wake() }
    }
    for tick in 1...20 {
      openings.tick()
      if tick == 7 { busy.yield("{}") }
    }
    quiet.wake()
    for stream in [quiet, busy] { stream.end() }
    var heard: [[CompanionStream.Piece]] = []
    for stream in [quiet, busy] {
      heard.append(await stream.pieces.reduce(into: []) { $0.append($1) })
    }
    #expect(heard == [[.silence, .wake], [.frame("{}")]])
  }
}
