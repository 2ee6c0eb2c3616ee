import Core
import Requests
import Storage
import TestSupport
import Testing

@testable import Adopting

/// The controls of sessions in the store.
struct AdoptedControlsTests {
  @Test func `agents that a killed process left registered are no longer there`() throws {
    let home = try Home()
    let store = try Store(home.directories)
    let old = Runner(agentId: "claude-a", swarmId: "w", sessionId: "a", lock: Adopter.lock)
    let other = Runner(agentId: "b", swarmId: "w", sessionId: "b")
    try store.register([old, other])
    try Directories.make(home.directories.state)
    let lock = try FileLock.ifFree("\(home.directories.state)/\(Adopter.lock)")
    #expect(try store.livingRunners() == [old])
    let controls = try StoredAdoptedControls(
      home.directories, lock: Adopter.lock, report: { _ in }
    ) { _ in }
    #expect(try store.livingRunners().isEmpty)
    #expect(try store.hasRunners(.agent, "b"))
    controls.add(old)
    #expect(try store.livingRunners() == [old])
    controls.close()
    withExtendedLifetime(lock) {}
  }
}
