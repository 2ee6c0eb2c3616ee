import Core
import Foundation
import HubWords
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Hub

/// A revocation ends whatever is open to a device, of each kind, and nothing else.
struct OpeningsTests {
  private static let kinds: [Opening.Kind] = [.subscription, .controls, .answer]
  private let home: Home
  private let devices: DeviceDesk
  private let openings: Openings

  init() throws {
    home = try Home()
    devices = DeviceDesk(try Store(home.directories))
    openings = Openings(HubThreads(), reading: [try Store(home.directories)])
  }

  private func device(_ name: String) throws -> Device {
    let registration = DeviceRegistration(
      code: try devices.makeCode(scope: .all).code, deviceName: name,
      devicePublicKey: "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")
    let token = try devices.register(registration).accessToken
    return try devices.authenticate(token)
  }

  /// Counts calls.
  private final class Calls: Sendable {
    private let number = Atomic<Int>(0)
    var count: Int { number.load(ordering: .relaxed) }
    func add() { number.wrappingAdd(1, ordering: .relaxed) }
  }

  @Test func `a revocation ends every kind of open thing, once`() async throws {
    let (gone, other) = (try device("gone"), try device("other"))
    let (ended, kept) = (Calls(), Calls())
    var (lost, left): ([Opening], [Opening]) = ([], [])
    for kind in Self.kinds {
      lost.append(await openings.open(kind, to: .device(gone)) { _ in ended.add() })
      for visitor in [.device(other), .owner, nil] as [Visitor?] {
        left.append(await openings.open(kind, to: visitor) { _ in kept.add() })
      }
    }
    await openings.endRevoked()
    #expect(ended.count == 0)
    _ = try devices.revoke(gone.id)
    for _ in 0..<2 { await openings.endRevoked() }
    #expect(ended.count == Self.kinds.count && kept.count == 0)
    for opening in lost {
      #expect(opening.reason?.code == .deviceRevoked && opening.reason?.input == gone.id)
    }
    #expect(left.allSatisfy { $0.reason == nil })
  }

  @Test func `what opens after the revocation is ended at once`() async throws {
    let gone = try device("gone")
    _ = try devices.revoke(gone.id)
    for kind in Self.kinds {
      let ended = Calls()
      let opening = await openings.open(kind, to: .device(gone)) { _ in ended.add() }
      #expect(opening.reason?.code == .deviceRevoked && ended.count == 1)
    }
  }

  @Test func `what opens during the revocation is ended, too`() async throws {
    let gone = try device("gone")
    let (devices, openings, ended) = (devices, openings, Calls())
    let opened = await withTaskGroup(of: Opening?.self) { group in
      for index in 0..<48 {
        let kind = Self.kinds[index % Self.kinds.count]
        group.addTask { await openings.open(kind, to: .device(gone)) { _ in ended.add() } }
        if index == 24 {
          group.addTask {
            #expect(throws: Never.self) { try devices.revoke(gone.id) }
            await openings.endRevoked()
            return nil
          }
        }
      }
      return await group.reduce(into: [Opening]()) { if let opening = $1 { $0.append(opening) } }
    }
    #expect(opened.count == 48)
    #expect(opened.allSatisfy { $0.reason?.code == .deviceRevoked })
    #expect(ended.count == 48)
  }

  @Test func `the latest entry ends first`() async throws {
    let gone = try device("gone")
    let numbers = AsyncStream.makeStream(of: Int.self)
    for number in 1...3 {
      _ = await openings.open(.answer, to: .device(gone)) { _ in
        numbers.continuation.yield(number)
        if number == 1 { numbers.continuation.finish() }
      }
    }
    _ = try devices.revoke(gone.id)
    await openings.endRevoked()
    #expect(await numbers.stream.reduce(into: []) { $0.append($1) } == [3, 2, 1])
  }

  @Test func `whoever waits for the end goes on once all is closed`() async throws {
    let gone = try device("gone")
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    let opening = await openings.open(.answer, to: .device(gone)) { _ in continuation.finish() }
    let other = await openings.open(.answer, to: .owner) { _ in }
    let openings = openings
    async let closing: Void = {
      for await _ in ends {}
      openings.close(opening)
    }()
    await openings.endAndWait(gone.id)
    #expect(opening.reason?.code == .deviceRevoked)
    #expect(openings.count(of: .answer) == 1)
    await closing
    await openings.endAndWait(gone.id)
    openings.close(other)
    openings.close(other)
    #expect(openings.count(of: .answer) == 0)
  }

  @Test func `what closed is counted, ticked and ended no more`() async throws {
    let gone = try device("gone")
    let (ticks, ended) = (Calls(), Calls())
    var opened: [Opening] = []
    for kind in [.subscription, .subscription, .controls] as [Opening.Kind] {
      opened.append(
        await openings.open(kind, to: .device(gone), tick: { ticks.add() }) { _ in ended.add() })
    }
    openings.tick()
    #expect(ticks.count == 3 && openings.count(of: .subscription) == 2)
    for opening in opened { openings.close(opening) }
    openings.tick()
    _ = try devices.revoke(gone.id)
    await openings.endRevoked()
    #expect(ticks.count == 3 && ended.count == 0 && openings.count(of: .subscription) == 0)
  }
}
