import Core
import Testing
import Watching

/// The times from alerts to looks and controls.
struct ResponseTimesTests {
  private let start = Timestamp(milliseconds: 1_800_000_000_000)

  private func incident(alerted: Double?, seen: Double?, controlled: Double?) -> Incident {
    Incident(
      id: "i", severity: .error, summary: "it broke", count: 1, createdAt: start,
      updatedAt: start, status: .open
    ).with { incident in
      incident.alertedAt = alerted.map { start.adding(seconds: $0) }
      incident.firstSeenAt = seen.map { start.adding(seconds: $0) }
      incident.firstControlAt = controlled.map { start.adding(seconds: $0) }
    }
  }

  @Test func `without an alert in the period there are no times`() {
    let incidents = [
      incident(alerted: nil, seen: 5, controlled: 6), incident(alerted: -1, seen: 5, controlled: 6),
    ]
    #expect(ResponseTimes(of: incidents, since: start) == ResponseTimes(since: start))
  }

  @Test func `the median and the 95th percentile are times that occurred`() {
    let incidents = (1...20).map { number in
      incident(
        alerted: 10, seen: 10 + Double(number), controlled: number <= 2 ? Double(number) : nil)
    }
    let times = ResponseTimes(of: incidents.reversed(), since: start)
    #expect((times.alerted, times.seen, times.controlled) == (20, 20, 2))
    #expect(times.seenMedianSeconds == 10 && times.seenP95Seconds == 19)
    // A control before the alert took no time.
    #expect(times.controlMedianSeconds == 0 && times.controlP95Seconds == 0)
  }
}
