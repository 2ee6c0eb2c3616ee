import Core
import Testing

@testable import Hub

struct CompanionStreamTests {
  private func device(_ id: String) -> Device {
    Device(id: id, name: id, scope: .events, createdAt: Timestamp(milliseconds: 0))
  }

  @Test func `one clock pings the readers that heard nothing for a quarter of a minute`() async {
    let readers = CompanionReaders()
    let (quiet, busy) = (CompanionStream(), CompanionStream())
    for (id, stream) in [("a", quiet), ("b", busy)] { _ = readers.enter(device(id), stream) }
    for tick in 1...20 {
      readers.tick()
      if tick == 7 { busy.yield("{}") }
    }
    readers.end(["a"])
    for stream in [quiet, busy] { stream.end() }
    var heard: [[CompanionStream.Piece]] = []
    for stream in [quiet, busy] {
      heard.append(await stream.pieces.reduce(into: []) { $0.append($1) })
    }
    #expect(heard == [[.silence, .wake], [.frame("{}")]])
  }
}
