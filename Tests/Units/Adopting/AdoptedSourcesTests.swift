import Core
import Foundation
import Sessions
import TestSupport
import Testing

@testable import Adopting

/// The files of sessions that are read when they change.
struct AdoptedSourcesTests {
  private let home: Home

  init() throws { home = try Home() }

  private func sources(_ agent: SessionAgent, _ environment: [String: String]) -> AdoptedSources {
    AdoptedSources(
      [agent], environment: environment, files: AdoptedFiles(home.directories),
      cutoff: Timestamp.now.adding(seconds: -60), Interruption())
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
