import Core
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Fetching

struct ResponseCacheTests {
  private let home: Home

  init() throws { home = try Home() }

  private var file: String { home.directories.cache + "/pages.db" }

  private func response(
    _ url: String, _ body: String = "body", variant: String = ""
  ) -> CachedResponse {
    CachedResponse(
      key: CachedResponse.Key(url: url, variant: variant),
      head: CachedResponse.Head(
        status: 200, fields: [["ETag", "\"x\""]], address: "127.0.0.1", freshUntil: 5),
      body: Array(body.utf8))
  }

  @Test func `what was stored comes back, by its address and its variant`() throws {
    let cache = try ResponseCache(home.directories)
    let stored = [response("a"), response("a", "other", variant: "accept: x"), response("b", "")]
    for response in stored { try cache.store(response, now: 1) }
    for response in stored { #expect(try cache.response(response.key, now: 1) == response) }
    #expect(try Set(cache.variants(of: "a")) == ["", "accept: x"])
    let unknown = CachedResponse.Key(url: "c", variant: "")
    #expect(try cache.response(unknown, now: 1) == nil)
    try cache.store(response("a", "new"), now: 2)
    #expect(try cache.response(stored[0].key, now: 2)?.body == Array("new".utf8))
  }

  @Test func `a confirmed answer has the new head and the old body`() throws {
    let cache = try ResponseCache(home.directories)
    var changed = response("a")
    try cache.store(changed, now: 1)
    changed.head.freshUntil = 99
    try cache.confirm(changed)
    #expect(try cache.response(changed.key, now: 2) == changed)
  }

  @Test func `folder and file are this user's alone`() throws {
    try FileManager.default.createDirectory(
      atPath: home.directories.cache, withIntermediateDirectories: true)
    try home.setMode(home.directories.cache, 0o755)
    _ = try ResponseCache(home.directories)
    #expect(try home.mode(home.directories.cache) == 0o700)
    #expect(try home.mode(file) == 0o600)
  }

  @Test func `what was used last is kept, within the bound`() throws {
    let cache = try ResponseCache(home.directories, maximumBytes: 10_000)
    let body = String(repeating: "x", count: 2000)
    for number in 0..<4 {
      try cache.store(response("\(number)", body), now: 100 * Double(number))
    }
    #expect(try cache.response(response("0").key, now: 1000) != nil)
    try cache.store(response("4", body), now: 1100)
    let kept = try (0..<5).filter { try cache.response(response("\($0)").key, now: 1200) != nil }
    #expect(kept == [0, 2, 3, 4])
    try cache.store(response("large", String(repeating: "x", count: 5000)), now: 1300)
    #expect(try cache.variants(of: "large") == [])
  }

  @Test func `one address has a few variants only`() throws {
    let cache = try ResponseCache(home.directories)
    for number in 0..<20 {
      try cache.store(response("a", variant: "accept: \(number)"), now: Double(number))
    }
    #expect(try Set(cache.variants(of: "a")) == Set((12..<20).map { "accept: \($0)" }))
  }

  @Test(
    "an entry that is not what was written is none",
    arguments: [
      "UPDATE response SET body = substr(body, 1, 3)", "UPDATE response SET body = zeroblob(4)",
      "UPDATE response SET head = replace(head, '200', '201')", "UPDATE response SET head = '{'",
      "UPDATE response SET sha256 = ''", "UPDATE response SET url = 'b'",
    ])
  func damaged(_ sql: String) throws {
    let cache = try ResponseCache(home.directories)
    try cache.store(response("a"), now: 1)
    let queue = try DatabaseQueue(path: file)
    try queue.write { try $0.execute(sql: sql) }
    for url in ["a", "b"] {
      #expect(try cache.response(response(url).key, now: 1) == nil)
      #expect(try cache.variants(of: url) == [])
    }
  }

  @Test(
    "a link in the way is refused, and nothing is written behind it",
    arguments: ["pages.db", "pages.db-wal", "pages.db-shm", "pages.db.lock"])
  func link(_ name: String) throws {
    let outside = home.path + "/outside"
    try FileManager.default.createDirectory(
      atPath: home.directories.cache, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(home.directories.cache)/\(name)", withDestinationPath: outside)
    let failure = #expect(throws: Failure.self) { try ResponseCache(home.directories) }
    #expect(failure?.code == .storageFailed)
    #expect(!FileManager.default.fileExists(atPath: outside))
  }

  @Test func `a folder that is a link is refused`() throws {
    let outside = home.path + "/outside"
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: home.directories.cache, withDestinationPath: outside)
    #expect(throws: Failure.self) { try ResponseCache(home.directories) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == [])
  }

  @Test func `a file that is no database is made anew`() throws {
    try FileManager.default.createDirectory(
      atPath: home.directories.cache, withIntermediateDirectories: true)
    try home.setMode(home.directories.cache, 0o700)
    try Data(String(repeating: "no database ", count: 1000).utf8)
      .write(to: URL(fileURLWithPath: file))
    let cache = try ResponseCache(home.directories)
    try cache.store(response("a"), now: 1)
    #expect(try cache.response(response("a").key, now: 1) != nil)
  }

  @Test func `a cache of a newer schema is begun anew`() throws {
    try ResponseCache(home.directories).store(response("a"), now: 1)
    try DatabaseQueue(path: home.directories.cache + "/pages.db").write {
      try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999 of tomorrow')")
    }
    #expect(try ResponseCache(home.directories).response(response("a").key, now: 1) == nil)
  }

  @Test func `two writers at once keep what both wrote`() async throws {
    let directories = home.directories
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<2 {
        group.addTask {
          let cache = try ResponseCache(directories)
          for number in 0..<50 {
            try cache.store(response("\(writer) \(number)"), now: Double(number))
          }
        }
      }
      try await group.waitForAll()
    }
    let cache = try ResponseCache(home.directories)
    for key in (0..<100).map({ response("\($0 / 50) \($0 % 50)").key }) {
      #expect(try cache.response(key, now: 1) != nil)
    }
  }
}
