import Core
import Events
import Testing

@testable import Hub

/// The newest events in memory, and who goes on where.
struct LiveRingTests {
  private func line(_ number: Int, agent: String = "a") -> String {
    #"{"agentId":"\#(agent)","id":"e-\#(number)","level":"info","message":"\#(number)","ts":1,"type":"log"}"#
  }

  private func position(_ number: Int, _ epoch: String = "e") -> EventPosition {
    EventPosition("\(epoch)-\(number)") ?? EventPosition()
  }

  private func publish(_ numbers: [Int], in ring: LiveRing) {
    ring.publish(numbers.map { line($0) }, upTo: position(numbers.last ?? 0))
  }

  private func subscription(_ ring: LiveRing, after number: Int?) -> LiveSubscription {
    let subscription = LiveSubscription(LiveRequest(), at: ring.end.place, counts: HubCounts())
    if let number, case .at(let place) = ring.place(after: position(number)) {
      subscription.move(to: place, after: "e-\(number)")
    }
    return subscription
  }

  /// The ids that are given with the lines.
  private func ids(_ subscription: LiveSubscription, _ ring: LiveRing) -> [String] {
    var ids: [String] = []
    _ = subscription.deliver(from: ring, at: 0, date: .now) { line, id in
      let text = String(decoding: line, as: UTF8.self)
      ids.append(id.map { String(decoding: $0, as: UTF8.self) } ?? text)
    }
    return ids
  }

  @Test func `each line comes with its id, and a reader goes on after any`() {
    let ring = LiveRing()
    ring.begin(after: position(2))
    publish([3, 4], in: ring)
    publish([5, 6, 7], in: ring)
    for number in 2...7 {
      #expect(
        ids(subscription(ring, after: number), ring) == (number..<7).map { "e-\($0 + 1)" })
    }
    #expect(ring.place(after: position(1)) == .earlier)
    #expect(ring.place(after: position(5, "other")) == .earlier)
    #expect(ring.end.last == position(7))
  }

  @Test func `ids may have holes`() {
    let ring = LiveRing()
    ring.begin(after: position(2))
    publish([5, 9], in: ring)
    publish([12, 20], in: ring)
    #expect(ids(subscription(ring, after: 5), ring) == ["e-9", "e-12", "e-20"])
    #expect(ids(subscription(ring, after: 9), ring) == ["e-12", "e-20"])
    #expect(ids(subscription(ring, after: 14), ring) == ["e-20"])
  }

  @Test func `who read more of the log than the ring has gets none of it twice`() {
    let ring = LiveRing()
    ring.begin(after: position(2))
    publish([3], in: ring)
    let reader = subscription(ring, after: 5)
    #expect(ids(reader, ring).isEmpty)
    publish([4, 5, 6, 7], in: ring)
    #expect(ids(reader, ring) == ["e-6", "e-7"])
  }

  @Test func `a gap before the first event has no id`() throws {
    let ring = LiveRing()
    ring.begin(after: position(2))
    let gap = try Gap(ts: 1, from: "e-2", to: "e-9", reason: .retention).json()
    let reader = subscription(ring, after: nil)
    ring.publish([gap, line(9), line(10)], upTo: position(10))
    #expect(ids(reader, ring) == [gap, "e-9", "e-10"])
    #expect(ids(subscription(ring, after: 8), ring) == ["e-9", "e-10"])
    #expect(ring.slice(from: 0).segments.first?.id(at: 0) == "e-8")
    #expect(ring.slice(from: 0).segments.first?.id(from: 0) == "e-9")
  }

  @Test func `a reader that is too slow is told between which events`() throws {
    let ring = LiveRing(mostBytes: 300)
    let reader = subscription(ring, after: nil)
    for number in 1...10 { publish([number], in: ring) }
    let given = ids(reader, ring)
    let gap = try Gap(json: try #require(given.first))
    #expect(gap.reason == .slowConsumer)
    #expect(gap.to == given.dropFirst().first)
    #expect(given.last == "e-10")
  }
}
