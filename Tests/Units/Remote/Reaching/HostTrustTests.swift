import Core
import Foundation
import TestSupport
import Testing

@testable import Remote

/// What it takes to trust the key that a host shows.
struct HostTrustTests {
  let home: Home
  let store: TrustStore

  init() throws {
    home = try Home()
    store = TrustStore(home.directories)
    try Directories.make(home.directories.data)
  }

  private func reach(_ change: (inout Reach.Wishes) -> Void = { _ in }) throws -> Reach {
    var wishes = Reach.Wishes()
    change(&wishes)
    return try Reach(to: "me@box.example:2222", wishes, from: .ofTest(home))
  }

  private func trust(
    _ key: HostKey, _ change: (inout Reach.Wishes) -> Void = { _ in }
  ) throws -> HostTrust {
    let reach = try reach(change)
    return try HostTrust(key, shownBy: try #require(reach.hops.last), reach.connector)
  }

  private func record(_ line: String) throws {
    _ = try home.file("data/known_hosts", line + "\n")
  }

  @Test func `a first key is added, even where others are to be refused`() throws {
    let trust = try trust(Keys.a) { $0.policy = .strict }
    #expect(trust.known == nil)
    let told = try trust.add()
    #expect(told.status == .added && told.host == "[box.example]:2222")
    #expect(told.fingerprint == Keys.a.fingerprint && told.file == store.path)
    #expect(try self.trust(Keys.a).known?.status == .known)
  }

  @Test func `another key is not added, but takes the place of the first when that is agreed to`()
    throws
  {
    _ = try trust(Keys.a).add()
    let other = try trust(Keys.b)
    #expect(other.known == nil)
    let failure = #expect(throws: Failure.self) { try other.add() }
    #expect(failure?.code == .sshHostKeyMismatch && failure?.kind == "changed")
    let question = try other.question()
    #expect(question.hasPrefix("the key of '[box.example]:2222' has changed"))
    #expect(question.contains("will be trusted with \(Keys.b.fingerprint) (ssh-ed25519)."))
    #expect(try other.replace().status == .replaced)
    #expect(try trust(Keys.b).known != nil && trust(Keys.a).known == nil)
  }

  @Test func `where nothing is recorded, a replacement adds`() throws {
    let trust = try trust(Keys.a)
    #expect(try trust.question().hasPrefix("no key is recorded. "))
    #expect(try trust.replace().status == .added)
  }

  @Test func `a revoked key is not asked about`() throws {
    try record("@revoked * \(Keys.a.text)")
    let trust = try trust(Keys.a)
    let failure = #expect(throws: Failure.self) { try trust.question() }
    #expect(failure?.kind == "revoked")
    #expect(throws: Failure.self) { try trust.add() }
    #expect(throws: Failure.self) { try trust.replace() }
  }

  @Test func `a key that is not the one wanted is refused, trusted or not`() throws {
    _ = try trust(Keys.a).add()
    let failure = #expect(throws: Failure.self) {
      try trust(Keys.a) { $0.hostKey = Keys.b.fingerprint }
    }
    #expect(failure?.kind == "pinned")
    #expect(try trust(Keys.a) { $0.hostKey = Keys.a.fingerprint }.known != nil)
  }
}
