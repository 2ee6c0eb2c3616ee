import Core
import Foundation
import HubClient
import HubQuestions
import Keys
import Requests
import TestSupport
import Testing
import Watching

/// What a tool is given by the place that it asks.
struct PlaceTests {
  private let home: Home

  init() throws { home = try Home() }

  /// A tool's surroundings, made up.
  private struct Made: Surroundings {
    var environment: [String: String] = [:]
    var directories: Directories
    let interruption = Interruption()

    func configuration() throws(Failure) -> Settings {
      var settings = Settings()
      settings.hubs = ["build": "http://127.0.0.1:9"]
      return settings
    }

    func keys(_ configuration: Settings) -> KeyStore {
      KeyStore(directories: directories, environment: [:], command: nil)
    }

    func report(_ notice: Notice) {}
  }

  private func place(_ word: String?, _ variable: String? = nil) throws -> Place {
    var made = Made(directories: home.directories)
    made.environment[Place.variable] = variable
    return try Place(word, made)
  }

  @Test func `an option names the hub, else the environment does, else it is this machine`() throws
  {
    #expect(try place(nil).hub == nil)
    #expect(try place(nil, "").hub == nil)
    #expect(try place(nil, "build").hub?.hub.url == "http://127.0.0.1:9")
    #expect(try place("http://[::1]:8", "build").hub?.hub.url == "http://[::1]:8")
    #expect(throws: Failure.self) { try place("none") }
    #expect(try place(nil).here { 1 } == 1)
    #expect(try place("build").here { 1 } == nil)
  }

  @Test func `this machine steers by its store, and makes none to look`() async throws {
    let place = try place(nil)
    let gates = try await place.steer { (steerer) throws(Failure) in
      try steerer.gates(withDecided: true)
    }
    #expect(gates.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: home.directories.data + "/store.db"))
    let failure = await #expect(throws: Failure.self) {
      try await place.steer { (steerer) throws(Failure) in try steerer.gate("none") }
    }
    #expect(failure?.code == .notFound)
    let threshold = try await place.steer { (steerer) throws(Failure) in
      try steerer.set(
        .contextCapacity, for: nil, to: 0.5, then: nil, by: Steering.Request(id: nil, reason: nil))
    }
    #expect(threshold.value == 0.5)
    let outlook = try place.lookout().outlook()
    #expect(outlook.staleness == nil)
    #expect(try outlook.audit(last: nil).map(\.action) == ["set 0.5"])
  }

  @Test func `who asks at a gate is answered by who decides it`() async throws {
    let place = try place(nil)
    let failure = await #expect(throws: Failure.self) {
      try await place.steer { (steerer) throws(Failure) in
        try steerer.ask(GateQuestion("Deploy?", by: "eve")) { (gate) throws(Failure) in
          guard gate.status == .pending else { return }
          _ = try steerer.decide(
            gate.gateId, .reject,
            by: Steering.Request(id: nil, actor: "ann", reason: "it is not well so"),
            isHere: false)
        }
      }
    }
    #expect(failure?.code == .userRejected)
  }

  @Test func `a hub that is away is none of this machine's`() async throws {
    let place = try place("http://127.0.0.1:9")
    let failure = await #expect(throws: Failure.self) {
      try await place.steer { (steerer) throws(Failure) in try steerer.gates(withDecided: true) }
    }
    #expect([.networkUnavailable, .authExpired].contains(failure?.code))
  }
}
