import CodingAgents
import Core
import Foundation
import TestSupport
import Testing

@testable import Adopting

/// The files of sessions that are read when they change.
struct AdoptedSourcesTests {
  private let home: Home

  init() throws { home = try Home() }

  private func sources(_ agent: CodingAgent, _ environment: [String: String]) -> AdoptedSources {
    AdoptedSources(
      [agent], environment: environment, files: AdoptedFiles(home.directories),
      cutoff: Timestamp.now.adding(seconds: -60), Interruption())
  }

  @Test func `a symbolic link is not followed, and the rest of a long file is read later`() throws {
    let folder = home.path + "/projects/-w"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let padding = String(repeating: " ", count: 300_000)
    let line = #"{"type":"user","sessionId":"s","message":{"content":"x"}}"# + "\n"
    let path = try home.file("projects/-w/s.jsonl", padding + line + padding + line)
    #expect(symlink(path, folder + "/link.jsonl") == 0)
    var sources = sources(.claude, ["CLAUDE_CONFIG_DIR": home.path])
    var (count, failures) = (0, 0)
    func read(_ paths: Set<String>) throws {
      try sources.read(
        paths, atMost: 1, to: { _ in count += 1 }, onFailure: { _ in failures += 1 })
    }
    try read([folder + "/link.jsonl", path])
    #expect(count == 1 && sources.nextRead != nil)
    try read(sources.changes())
    #expect(count == 2 && failures == 0 && sources.nextRead == nil)
  }

  @Test func `a change does not put off a read that is due`() throws {
    let path = try home.file("opencode.db", "")
    var sources = sources(.opencode, ["OPENCODE_DB": path])
    var times: [ContinuousClock.Instant?] = []
    for _ in 0..<3 {
      try sources.read([path], to: { _ in }, onFailure: { _ in })
      times.append(sources.nextRead)
    }
    #expect(times[0] != nil && Set(times).count == 1)
  }
}
