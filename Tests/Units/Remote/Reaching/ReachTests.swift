import Core
import Foundation
import TestSupport
import Testing

@testable import Remote

/// The way that is found to a host, before anything is connected.
struct ReachTests {
  let home: Home

  init() throws {
    home = try Home()
    try Directories.make(home.path + "/.ssh")
  }

  private func reach(
    _ name: String, _ change: (inout Reach.Wishes) -> Void = { _ in },
    report: @escaping (String) -> Void = { _ in }
  ) throws -> Reach {
    var wishes = Reach.Wishes()
    change(&wishes)
    return try Reach(to: name, wishes, from: .ofTest(home, report: report))
  }

  private func hosts(_ reach: Reach) -> [String] { reach.hops.map(\.host) }

  @Test func `who is let in where is what the operand, the configuration or the user says`() throws
  {
    let plain = try reach("box")
    #expect(plain.host == "box" && plain.user == "me" && plain.port == nil)
    let named = try reach("build@box:2222")
    #expect(named.user == "build" && named.port == 2222)
    _ = try home.file(".ssh/config", "Host box\n HostName 10.0.0.1\n User ci\n Port 2022\n")
    let configured = try reach("box")
    #expect(configured.host == "box" && hosts(configured) == ["10.0.0.1"])
    #expect(configured.user == "ci" && configured.port == 2022)
  }

  @Test func `the hosts to go through are given, configured, or none`() throws {
    _ = try home.file(".ssh/config", "Host box\n ProxyJump gate\n")
    #expect(try hosts(reach("box")) == ["gate", "box"])
    #expect(try hosts(reach("box") { $0.jump = "none" }) == ["box"])
    #expect(try hosts(reach("box") { $0.jump = "a,b@c:22" }) == ["a", "c", "box"])
    let failure = #expect(throws: Failure.self) { try reach("box") { $0.jump = "a,,b" } }
    #expect(failure?.code == .badUsage)
  }

  @Test func `a configuration that is named must be there, and is the only one read`() throws {
    _ = try home.file(".ssh/config", "Host box\n HostName usual\n")
    let other = try home.file("other", "Host box\n HostName other\n")
    #expect(try hosts(reach("box") { $0.sshConfig = other }) == ["other"])
    let failure = #expect(throws: Failure.self) {
      try reach("box") { $0.sshConfig = other + "x" }
    }
    #expect(failure?.code == .notFound)
  }

  @Test func `what of the configuration is not followed is told`() throws {
    let path = try home.file(".ssh/config", "Match exec true\n User x\n")
    var notes: [String] = []
    _ = try reach("box", report: { notes.append($0) })
    #expect(notes == ["\(path):1 is ignored: a Match block or a command"])
  }
}
