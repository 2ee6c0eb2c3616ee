import Core
import Foundation
import TestSupport
import Testing

@testable import Events

struct PaceTests {
  /// Hands lines to a pace at given instants and gives what it tells, with when it told it.
  private func told(
    _ lines: [[UInt8]], perSecond: Int?, at times: [Int64]
  ) throws -> [(line: RawRecord, time: Int64?)] {
    var pace = EventPace(perSecond: perSecond)
    var told: [(RawRecord, Int64?)] = []
    func tell(_ pace: inout EventPace, _ now: Int64?) throws(Failure) {
      let date = Timestamp(milliseconds: 1_735_300_000_000 + (now ?? 0))
      for line in try pace.removeDue(now: now, date: date) {
        told.append((try RawRecord(line: line), now))
      }
    }
    var reader = EventReader(Pieces([Array(lines.joined(separator: [0x0A]))]))
    var index = 0
    var mayHaveMore = true
    while mayHaveMore {
      mayHaveMore = try reader.next { (item) throws(Failure) in
        guard case .event(let event) = item else { return }
        let now = times[index]
        index += 1
        while let due = pace.due, due <= now { try tell(&pace, due) }
        pace.add(event, now: now, date: Timestamp(milliseconds: 1_735_300_000_000 + now))
        if pace.isDue(now) { try tell(&pace, now) }
      }
    }
    try tell(&pace, nil)
    #expect(pace.due == nil)
    return told
  }

  private func lines(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

  private func weight(_ record: RawRecord) -> Int {
    guard record.type == "log" || record.type == "suppressed" else { return 1 }
    return record.json("count").flatMap { Int($0) } ?? 1
  }

  @Test func `what is told and what is left out add up to what came`() throws {
    var random = SeededRandom(seed: 8)
    for round in 0..<20 {
      let perSecond = round % 3 == 0 ? nil : Int.random(in: 1...40, using: &random)
      var now: Int64 = 0
      var times: [Int64] = []
      let all = (0..<1500).map { _ -> [UInt8] in
        now += random.chance(100) ? Int64.random(in: 0...3000, using: &random) : 1
        times.append(now)
        let level = random.one(of: ["debug", "info", "warn", "error", "critical", "odd"], else: "")
        let type = random.one(of: ["log", "log", "log", "metric", "gap", "control"], else: "")
        let count = random.chance(5) ? #","count":\#(Int.random(in: 1...9, using: &random))"# : ""
        let text = Int.random(in: 0...5, using: &random)
        return Array(
          #"{"id":"\#(now)","level":"\#(level)","message":"\#(text)","ts":\#(now),"type":"\#(type)"\#(count)}"#
            .utf8)
      }
      let told = try told(all, perSecond: perSecond, at: times)
      let came = try all.map { line in try RawRecord(line: line) }
      #expect(told.reduce(0) { $0 + weight($1.line) } == came.reduce(0) { $0 + weight($1) })
      let isKept = { (record: RawRecord) in
        ["gap", "control"].contains(record.type)
          || ["error", "critical"].contains(record.string("level") ?? "")
      }
      #expect(told.map(\.line).filter(isKept).map(\.bytes) == came.filter(isKept).map(\.bytes))
      // Those that were told stay in order.
      let instants = told.map(\.line).filter { $0.type != "suppressed" }
        .compactMap { $0.json("ts").flatMap { Int($0) } }
      #expect(instants == instants.sorted())
    }
  }

  @Test func `no more than the rate is told in a second`() throws {
    let count = 10_000
    let all = lines((0..<count).map { #"{"type":"metric","value":\#($0)}"# })
    let told = try told(all, perSecond: 200, at: (0..<count).map { Int64($0) })
    #expect(told.count { $0.line.type == "metric" } == 2000)
    let counts = told.filter { $0.line.type == "suppressed" }.map { $0.line.json("count") ?? "" }
    #expect(counts == [String](repeating: "800", count: 10))
    #expect(told.first { $0.line.type == "suppressed" }?.line.string("level") == nil)
  }

  @Test func `logs that differ in more than their instant and id stay apart`() throws {
    let all = lines([
      #"{"type":"log","message":"a","ts":1,"id":"7-1","agentId":"x"}"#,
      #"{"type":"log","message":"a","ts":22,"id":"7-22","agentId":"x"}"#,
      #"{"type":"log","message":"a","ts":3,"id":"7-3","agentId":"y"}"#,
      #"{"type":"log","message":"a","ts":3,"id":"7-3","agentId":"x","level":"error"}"#,
      #"{"type":"log","message":"a","ts":3,"id":"7-3","agentId":"x","level":"error"}"#,
      #"{"type":"log","message":"a","ts":4,"id":"7-4","agentId":"x"}"#,
      #"{"type":"metric","message":"a"}"#, #"{"type":"metric","message":"a"}"#,
    ])
    let told = try told(all, perSecond: nil, at: [Int64](repeating: 5, count: all.count))
    #expect(
      told.map { String(decoding: $0.line.bytes, as: UTF8.self) } == [
        #"{"agentId":"x","count":3,"id":"7-1","message":"a","ts":1,"type":"log"}"#,
        #"{"type":"log","message":"a","ts":3,"id":"7-3","agentId":"y"}"#,
        #"{"type":"log","message":"a","ts":3,"id":"7-3","agentId":"x","level":"error"}"#,
        #"{"type":"log","message":"a","ts":3,"id":"7-3","agentId":"x","level":"error"}"#,
        #"{"type":"metric","message":"a"}"#, #"{"type":"metric","message":"a"}"#,
      ])
  }

  @Test func `what waits is told after a moment, not with the next event`() throws {
    var pace = EventPace(perSecond: nil)
    var reader = EventReader(Pieces([Array(#"{"type":"log","message":"a"}"#.utf8)]))
    while try reader.next({ (item) throws(Failure) in
      guard case .event(let event) = item else { return }
      pace.add(event, now: 1000, date: .now)
    }) {}
    #expect(pace.due == 1150)
    #expect(!pace.isDue(1149))
    #expect(pace.isDue(1150))
    #expect(try pace.removeDue(now: 1150, date: .now).count == 1)
    #expect(pace.due == nil)
  }
}
