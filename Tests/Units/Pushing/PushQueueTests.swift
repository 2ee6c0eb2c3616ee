import Core
import Foundation
import Storage
import TestSupport
import Testing

@testable import Pushing

/// When alerts become messages, and which.
@Suite("the queue of alerts")
struct PushQueueTests {
  /// A queue with one target, whose time the test sets.
  private final class Place {
    let home: Home
    let base: any RecordBase
    let target: PushPace
    let lock: FileLock?
    let queue: PushQueue
    var now = Timestamp(milliseconds: 1_800_000_000_000)

    init(_ home: Home? = nil, lock name: String = "own", quiet: String? = nil) throws {
      self.home = try home ?? Home()
      base = try PushQueue.base(self.home.directories)
      target = PushPace(id: "t", perMinute: 6, quiet: quiet.flatMap(QuietHours.init))
      let locks = self.home.directories.state + "/push"
      lock = try FileLock.ifFree("\(locks)/\(name)")
      queue = PushQueue(base: base, lock: name, locks: locks)
    }

    func wait(_ seconds: Double) { now = now.adding(seconds: seconds) }

    /// Adds an alert about an incident.
    func add(_ id: String, _ severity: Log.Level = .warn, about incident: String = "i") throws {
      var alert = Alert(
        ts: now.milliseconds, kind: .incident, severity: severity, summary: "alert \(id)")
      (alert.srcId, alert.incidentId) = (id, incident)
      try base.write { rows in
        _ = try queue.add([alert], for: target, in: rows, at: now)
      }
    }

    /// Sends what is due, and returns the ids, and the seconds until the next message.
    func send(_ status: Delivery.Status = .sent) throws -> (ids: [String], wait: Double?) {
      var ids: [String] = []
      var wait: Double?
      for lane in PushQueue.Lane.allCases {
        lane: while true {
          switch try queue.next(target, lane, at: now) {
          case .send(let due):
            let message = due.message
            ids.append("\(message.alertId)\(message.count > 1 ? "+\(message.count - 1)" : "")")
            let delivery = Delivery(
              target: target.id, alert: message.alertId, kind: .incident, status: status,
              attempts: 1, ts: now.milliseconds)
            try queue.end(message.key, delivery, for: target)
          case .wait(let time):
            if let time { wait = min(wait ?? .infinity, time.seconds(since: now)) }
            break lane
          }
        }
      }
      return (ids, wait)
    }
  }

  @Test func `six messages a minute are sent, and then one with the rest`() throws {
    let place = try Place()
    for number in 1...6 { try place.add("a\(number)") }
    var sent = try place.send()
    #expect(sent.ids == ["a1", "a2", "a3", "a4", "a5", "a6"])
    #expect(sent.wait == nil)
    for number in 7...20 { try place.add("a\(number)") }
    sent = try place.send()
    #expect(sent.ids.isEmpty && sent.wait == 60.001)
    place.wait(60.001)
    // Each of the six has a place again; the last of them is for all that wait.
    sent = try place.send()
    #expect(sent.ids == ["a7", "a8", "a9", "a10", "a11", "a12+8"])
    #expect(try place.queue.waiting == 0)
  }

  @Test func `the first critical alert of a subject is sent at once, and repeats together`() throws
  {
    let place = try Place(quiet: "00:00-23:59")
    for number in 1...8 { try place.add("w\(number)") }
    try place.add("c1", .critical)
    var sent = try place.send()
    #expect(sent.ids == ["c1"])
    place.wait(10)
    try place.add("c2", .critical)
    try place.add("c3", .critical)
    try place.add("d1", .critical, about: "other")
    sent = try place.send()
    #expect(sent.ids == ["d1"])
    #expect(sent.wait == 50)
    place.wait(50)
    sent = try place.send()
    #expect(sent.ids == ["c2+1"])
    #expect(try place.queue.waiting == 8)
  }

  @Test func `a target that does not answer gets only critical alerts`() throws {
    let place = try Place()
    try place.add("a1")
    guard case .send(let due) = try place.queue.next(place.target, .others, at: place.now) else {
      Issue.record("nothing is sent")
      return
    }
    #expect(due.message.id == "a1" && due.attempts == 0)
    let later = place.now.adding(seconds: 30)
    try place.queue.delay(due.message.key, attempts: 1, until: later, for: place.target)
    try place.add("a2")
    #expect(try place.send().ids.isEmpty)
    try place.add("c1", .critical)
    // Since it answers again, the others are sent too.
    #expect(try place.send().ids == ["c1", "a1", "a2"])
  }

  @Test func `what a killed process left is sent with its id by the next`() throws {
    let home = try Home()
    do {
      let first = try Place(home, lock: "first")
      for number in 1...8 { try first.add("a\(number)") }
      for _ in 1...5 { _ = try first.queue.next(first.target, .others, at: first.now) }
      let second = try Place(home, lock: "second")
      try second.queue.takeOver([second.target], at: second.now)
      #expect(try second.send().ids.isEmpty)
    }
    let third = try Place(home, lock: "third")
    try third.queue.takeOver([third.target], at: third.now)
    #expect(try third.send().ids == ["a1", "a2", "a3", "a4", "a5", "a6+2"])
  }

  @Test func `an alert is sent once, and its outcome is told again`() throws {
    let place = try Place()
    try place.add("a1")
    _ = try place.send()
    try place.add("a1")
    #expect(try place.send().ids.isEmpty)
    guard case .ended(let delivery)?? = try place.queue.known(["a1"], place.target).first?.known
    else {
      Issue.record("it has no outcome")
      return
    }
    #expect(delivery.status == .sent && delivery.replayed == true && delivery.alert == "a1")
    place.wait(604_801)
    try place.queue.takeOver([place.target], at: place.now)
    #expect(try place.queue.known(["a1"], place.target).first?.known == nil)
  }

  @Test func `an alert that could not be sent is sent when it comes again`() throws {
    let place = try Place()
    try place.add("a1")
    #expect(try place.send(.failed).ids == ["a1"])
    #expect(try place.send().ids.isEmpty)
    try place.add("a1")
    #expect(try place.send().ids == ["a1"])
  }

  @Test func `new critical alerts come before those that failed`() throws {
    let place = try Place()
    try place.add("c1", .critical, about: "one")
    guard case .send(let due) = try place.queue.next(place.target, .critical, at: place.now) else {
      Issue.record("nothing is sent")
      return
    }
    try place.queue.delay(due.message.key, attempts: 1, until: place.now, for: place.target)
    try place.add("c2", .critical, about: "two")
    #expect(try place.send().ids == ["c2", "c1"])
  }

  @Test func `a clock that was set back delays nothing`() throws {
    let place = try Place()
    for number in 1...6 { try place.add("a\(number)") }
    try place.add("c1", .critical)
    #expect(try place.send().ids.count == 7)
    place.wait(-3600)
    try place.add("a7")
    try place.add("c2", .critical)
    #expect(try place.send().ids == ["c2", "a7"])
  }

  @Test func `who ends does not wait for what others left`() throws {
    let home = try Home()
    do {
      let first = try Place(home, lock: "first", quiet: "00:00-23:59")
      try first.add("a1")
    }
    let second = try Place(home, lock: "second", quiet: "00:00-23:59")
    try second.queue.takeOver([second.target], at: second.now)
    guard
      case .wait(nil) = try second.queue.next(
        second.target, .others, at: second.now, isEnding: true)
    else {
      Issue.record("it waits")
      return
    }
    try second.add("a2")
    guard
      case .wait(_?) = try second.queue.next(
        second.target, .others, at: second.now, isEnding: true)
    else {
      Issue.record("it does not wait")
      return
    }
  }

  @Test(arguments: [
    (nil, ""), ("https://h.example:8443/a,http://b", " --hub https://h.example:8443/a,http://b"),
    ("http://[::1]:7878", " --hub 'http://[::1]:7878'"),
    ("https://h/it's$x", #" --hub 'https://h/it'\''s$x'"#),
  ])
  func `the line to paste names the gate's hub, also if another process sends it`(
    hub: String?, option: String
  ) throws {
    let home = try Home()
    var alert = Alert(ts: 1, kind: .approvalGate, severity: .warn, summary: "a gate waits: Deploy?")
    (alert.srcId, alert.gateId) = ("a", "g1")
    do {
      let first = try Place(home, lock: "first")
      try first.base.write { [alert] rows in
        _ = try first.queue.add([alert], for: first.target, hub: hub, in: rows, at: first.now)
      }
    }
    let second = try Place(home, lock: "second")
    try second.queue.takeOver([second.target], at: second.now)
    guard case .send(let due) = try second.queue.next(second.target, .others, at: second.now) else {
      Issue.record("nothing is sent")
      return
    }
    #expect(due.message.text == "a gate waits: Deploy?\ngate-decide approve g1\(option)")
  }

  @Test(arguments: [true, false])
  func `a message about a gate says that it is decided`(replaces: Bool) throws {
    let place = try Place(quiet: "00:00-23:59")
    var alert = Alert(
      ts: 1, kind: .approvalGate, severity: .critical, summary: "a gate waits: Deploy?")
    (alert.srcId, alert.gateId) = ("sent", "g1")
    var other = alert
    (other.srcId, other.gateId, other.severity) = ("waits", "g2", .warn)
    try place.base.write { rows in
      _ = try place.queue.add([alert, other], for: place.target, in: rows, at: place.now)
    }
    #expect(try place.send().ids == ["sent"])
    try place.base.write { rows in
      for id in ["g1", "g2", "g3"] {
        var gate = ApprovalGate(
          ts: 2, gateId: id, status: .approved, summary: "Deploy?",
          requestedAt: Timestamp(milliseconds: 1))
        gate.body.revision = 2
        try place.queue.settle(
          gate, for: place.target, replaces: replaces, in: rows, at: place.now)
      }
    }
    let free = PushPace(id: "t", perMinute: 6, quiet: nil)
    var told: [String] = []
    while case .send(let due) = try place.queue.next(free, .others, at: place.now) {
      let message = due.message
      told.append("\(message.alertId) \(message.summary)")
      let delivery = Delivery(
        target: "t", alert: message.alertId, kind: .approvalGate, status: .sent, attempts: 1,
        ts: place.now.milliseconds)
      try place.queue.end(message.key, delivery, for: free)
    }
    #expect(
      told == ["waits approved: Deploy?"] + (replaces ? ["gate:g1:2 approved: Deploy?"] : []))
  }
}
