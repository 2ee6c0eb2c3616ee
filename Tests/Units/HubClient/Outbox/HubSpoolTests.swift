import Core
import Foundation
import TestSupport
import Testing

@testable import HubClient

/// What waits on disk for a hub.
struct HubSpoolTests {
  private let home: Home
  private let place: HubSpoolPlace

  init() throws {
    home = try Home()
    place = HubSpoolPlace([try HubChoice(url: "http://build:7878")], home.directories)
  }

  private static func batch(_ lines: String...) -> HubSpool.Batch {
    HubSpool.Batch(bytes: lines.flatMap { Array($0.utf8) + [0x0A] }, lines: lines.count)
  }

  private func text(_ batch: HubSpool.Batch?) -> String? {
    batch.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test func `lines come out in their order, in pieces of whole lines`() throws {
    let spool = try place.new().spool
    #expect(try spool.next(upTo: 100) == nil)
    try spool.append(Self.batch("one", "two"))
    try spool.append(Self.batch("three"))
    let first = try #require(try spool.next(upTo: 9))
    #expect(text(first) == "one\ntwo\n" && first.lines == 2)
    // What was not sent comes again.
    #expect(text(try spool.next(upTo: 9)) == "one\ntwo\n")
    spool.remove(first)
    try spool.append(Self.batch("four"))
    #expect(text(try spool.next(upTo: 2)) == "three\n")
    let rest = try #require(try spool.next(upTo: 100))
    #expect(text(rest) == "three\nfour\n")
    spool.remove(rest)
    #expect(spool.waiting == 0 && spool.bytes == 0)
    try spool.append(Self.batch("five"))
    #expect(text(try spool.next(upTo: 100)) == "five\n")
  }

  @Test func `what a process left is taken over once, without a line that it did not end`() throws {
    var folder = ""
    do {
      let spool = try place.new().spool
      folder = spool.folder
      try spool.append(Self.batch("one", "two"))
      #expect(place.abandoned().isEmpty)
    }
    let file = try #require(
      FileHandle(forWritingAtPath: folder + "/1.ndjson"))
    try file.seekToEnd()
    try file.write(contentsOf: Data("thr".utf8))
    let left = place.abandoned()
    #expect(left.count == 1 && place.abandoned().isEmpty)
    let spool = try #require(left.first)
    let batch = try #require(try spool.next(upTo: 100))
    #expect(text(batch) == "one\ntwo\n" && spool.waiting == 2)
    spool.remove(batch)
    spool.close()
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func `what a list of hubs left is found under each of them, in any order`() throws {
    let hubs = try ["http://a:1", "http://b:1"].map { try HubChoice(url: $0) }
    func place(_ hubs: [HubChoice]) -> HubSpoolPlace { HubSpoolPlace(hubs, home.directories) }
    do { try place(hubs).new().spool.append(Self.batch("one")) }
    do { try place([hubs[1]]).new().spool.append(Self.batch("two")) }
    #expect(place([hubs[0]]).abandoned().map(\.waiting) == [1])
    let own = try place(hubs).new().spool
    #expect(place(hubs).bytes(except: own) == 8)
    let left = place(hubs.reversed()).abandoned()
    #expect(try left.map { text(try $0.next(upTo: 100)) } == ["two\n", "one\n"])
    #expect(place(hubs).abandoned().isEmpty)
  }

  @Test func `much is in several files, which go one by one`() throws {
    let spool = try place.new().spool
    let line = String(repeating: "x", count: (1 << 20) - 1)
    for _ in 0..<10 { try spool.append(Self.batch(line)) }
    func files() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: spool.folder)
        .filter { $0.hasSuffix(".ndjson") }
    }
    #expect(try files().count == 3 && spool.bytes == 10 << 20)
    for left in (0..<10).reversed() {
      spool.remove(try #require(try spool.next(upTo: 1 << 20)))
      #expect(spool.waiting == left)
    }
    #expect(try files().isEmpty)
  }
}
