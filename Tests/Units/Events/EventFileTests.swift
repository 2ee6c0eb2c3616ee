import Core
import Events
import Foundation
import Processes
import Testing
import TestSupport

/// What becomes of an event log that is open while its file goes, or becomes another one.
struct EventFileTests {
  private func log(_ message: String) -> Log {
    Log(ts: 1_772_013_600_000, agentId: "a", level: .info, message: message)
  }

  private func messages(_ log: EventLog) throws -> [String] {
    try log.read(after: nil, limit: 100).entries.map { try Log(json: $0.line).message }
  }

  @Test func `who has a log open that is removed goes on with another one`() throws {
    let home = try Home()
    let path = EventLog.path(home.directories)
    for name in ["removed", "renamed", "cut", "overwritten"] {
      let writer = try EventLog(home.directories)
      let reader = try EventLog(home.directories)
      try writer.append([log("before")])
      let last = try #require(try reader.read(after: nil, limit: 100).last)
      let other = try Home()
      switch name {
      case "removed": try FileManager.default.removeItem(atPath: path)
      case "renamed":
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old-" + name)
      case "cut": #expect(truncate(path, 0) == 0)
      default:
        try EventLog(other.directories).append([log("foreign")])
        let bytes = try #require(
          FileManager.default.contents(atPath: EventLog.path(other.directories)))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: bytes)
        try handle.truncate(atOffset: UInt64(bytes.count))
        try handle.close()
      }
      try writer.append([log("after")])
      let expected = name == "overwritten" ? ["foreign", "after"] : ["after"]
      #expect(try messages(reader) == expected, "\(name)")
      #expect(try messages(EventLog(home.directories)) == expected, "\(name)")
      let batch = try reader.read(after: last, limit: 100)
      #expect(batch.gap?.reason == .epoch && batch.gap?.from == last, "\(name)")
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func `a log that SQLite itself moves about in its file is the same`() throws {
    let home = try Home()
    let reader = try EventLog(home.directories)
    for number in 0..<50 {
      try reader.append([log("\(number)" + String(repeating: "x", count: 3000))])
    }
    let last = try #require(try reader.read(after: nil, limit: 100).last)
    // Nothing is lost of what is in the write-ahead log alone.
    for command in ["VACUUM", "PRAGMA page_size = 4096", "PRAGMA wal_checkpoint(TRUNCATE)"] {
      let result = try ChildProcess.run(
        [
          "python3", "-c",
          "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall()",
          EventLog.path(home.directories), command,
        ], environment: ["PATH": "/usr/bin:/bin:/usr/local/bin"])
      #expect(result.status == 0)
      try reader.append([log("after")])
    }
    let rest = try reader.read(after: last, limit: 100)
    #expect(rest.gap == nil && rest.entries.count == 3)
    #expect(try messages(reader).count == 53)
  }
}
