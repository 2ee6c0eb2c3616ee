import Core
import Events
import Foundation
import Keys
import Synchronization
import TestSupport
import Testing
import Tokens

@testable import HubClient

/// Events on their way to a hub that is away.
struct HubOutboxTests {
  private let home: Home
  private let hubs: HubGroup

  init() throws {
    home = try Home()
    _ = try OwnerToken.made(in: home.directories)
    try OwnHub(listening: "http://127.0.0.1:1", tlsKey: nil).write(in: home.directories)
    let keys = KeyStore(directories: home.directories, environment: [:], command: nil)
    // Nobody listens there.
    hubs = HubGroup(
      try HubChoice(url: "http://127.0.0.1:1"), keys: keys, directories: home.directories)
  }

  private func logs(_ level: Log.Level, _ count: Int) throws -> [EncodedEvent] {
    try (0..<count).map { number in
      try EncodedEvent(Log(ts: 1, agentId: "a", level: level, message: "\(level) \(number)"))
    }
  }

  private var spooled: [RawRecord] {
    let folder = HubSpoolPlace(hubs.hubs, home.directories).path
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".ndjson") }
      .compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)") }
      .flatMap { $0.split(separator: 0x0A) }
      .compactMap { try? RawRecord(line: Array($0)) }
  }

  @Test func `what there is no room for is refused, and what matters last`() throws {
    let told = Mutex<[String]>([])
    let outbox = HubOutbox(hubs, home.directories, limit: 4000) { notice in
      if case .sentence(let sentence) = notice { told.withLock { $0.append(sentence) } }
    }
    #expect(outbox.hasRoom)
    let refused = outbox.record(try logs(.info, 100))
    #expect((1..<100).contains(refused) && outbox.lostCount == refused)
    #expect(!outbox.hasRoom)
    #expect(outbox.record(try logs(.error, 5)) == 0)
    #expect((1..<100).contains(outbox.record(try logs(.error, 100))))
    #expect(outbox.record(try logs(.info, 1)) == 1)
    let lines = spooled
    #expect(lines.count { $0.string("level") == "info" } == 100 - refused)
    let ids = lines.compactMap { $0.string("srcId") }
    #expect(Set(ids).count == lines.count && !lines.contains { $0.contains("id") })
    outbox.end(within: 5)
    #expect(told.withLock { $0.last ?? "" }.contains("\(lines.count) events are waiting for "))
  }

  @Test func `what a hub decides is not sent, and a source id stays`() throws {
    let outbox = HubOutbox(hubs, home.directories) { _ in }
    let control = Control(
      ts: 1, requestId: "r", target: .agent, action: .pause, reason: "", actor: "me",
      outcome: .applied)
    var log = Log(ts: 1, agentId: "a", level: .info, message: "one")
    log.srcId = "mine"
    #expect(outbox.record([try EncodedEvent(control), try EncodedEvent(log)]) == 0)
    #expect(spooled.map { $0.string("srcId") } == ["mine"])
    outbox.end(within: 5)
  }
}
