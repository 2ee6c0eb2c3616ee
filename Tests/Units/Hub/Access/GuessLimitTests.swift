import Core
import Cryptography
import Foundation
import HubWords
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Hub

/// Hubs that share their records, to which people send wrong codes, the same on each engine.
struct GuessLimitTests {
  private let home: Home
  private let key = Data(RandomBytes.make(32)).base64EncodedString()

  init() throws { home = try Home() }

  /// Counts the refusals by their codes, in several attempts at once.
  ///
  /// The attempts have threads of their own, because a code may expire while tasks wait for others.
  private func refusals(
    _ count: Int, _ attempt: @Sendable (Int) throws(Failure) -> Void
  ) -> [FailureCode: Int] {
    let counts = Mutex<[FailureCode: Int]>([:])
    DispatchQueue.concurrentPerform(iterations: count) { index in
      do throws(Failure) { try attempt(index) } catch {
        counts.withLock { $0[error.code, default: 0] += 1 }
      }
    }
    return counts.withLock(\.self)
  }

  @Test(arguments: RecordEngine.allCases)
  func `of codes that register, two hubs look at twenty wrong ones a minute together`(
    _ engine: RecordEngine
  ) throws {
    let desks = [
      DeviceDesk(try engine.store(in: home)), DeviceDesk(try engine.store(in: home)),
    ]
    let (key, now) = (key, Timestamp.now)
    let found = refusals(48) { (index) throws(Failure) in
      let code = index % 3 == 0 ? "no code" : "00000-000\(10 + index)"
      _ = try desks[index % 2].register(
        DeviceRegistration(code: code, deviceName: "phone", devicePublicKey: key), at: now)
    }
    #expect(found == [.pairingCodeInvalid: 20, .rateLimited: 28])
  }

  @Test(arguments: RecordEngine.allCases)
  func `of digits that pair, two hubs compare five wrong ones together`(
    _ engine: RecordEngine
  ) throws {
    let desks = [
      PairingDesk(try engine.store(in: home), report: { _ in }),
      PairingDesk(try engine.store(in: home), report: { _ in }),
    ]
    let codes = desks.map { $0.start(lifetime: nil).code }
    let wrong = try #require(["000000", "111111", "222222"].first { !codes.contains($0) })
    let (key, now) = (key, Timestamp.now)
    let found = refusals(24) { (index) throws(Failure) in
      _ = try desks[index % 2].complete(
        PairingCompletion(
          pairingCode: wrong, pairingToken: nil, deviceName: "phone", devicePublicKey: key),
        from: "10.0.0.\(index)", at: now)
    }
    #expect(found == [.pairingCodeInvalid: 5, .rateLimited: 19])
    #expect(desks.reduce(0) { $0 + $1.compared.load(ordering: .relaxed) } == 5)
  }

  @Test(arguments: RecordEngine.allCases)
  func `a code that expires while its registration waits for other writers has expired`(
    _ engine: RecordEngine
  ) throws {
    let store = try engine.store(in: home)
    let code = try DeviceDesk(store).makeCode(scope: .all, at: store.now.adding(seconds: -601)).code
    let late = DeviceDesk(Store(WaitingBase(store.base)))
    let failure = #expect(throws: Failure.self) {
      try late.register(DeviceRegistration(code: code, deviceName: "phone", devicePublicKey: key))
    }
    #expect(failure?.code == .pairingCodeExpired)
    // A code and a device that are created after the wait are good from then on.
    let fresh = try late.makeCode(scope: .all)
    #expect(fresh.expiresAt.seconds(since: store.now) > 500)
    let grant = try late.register(
      DeviceRegistration(code: fresh.code, deviceName: "phone", devicePublicKey: key))
    #expect(try DeviceDesk(store).authenticate(grant.accessToken).id == grant.deviceId)
  }

  @Test(arguments: RecordEngine.allCases)
  func `a device that pairs is of the time at which it is stored`(_ engine: RecordEngine) throws {
    let store = try engine.store(in: home)
    let desk = PairingDesk(Store(WaitingBase(store.base)), report: { _ in })
    let code = desk.start(lifetime: nil).code
    let device = try desk.complete(
      PairingCompletion(
        pairingCode: code, pairingToken: nil, deviceName: "phone", devicePublicKey: key),
      from: "10.0.0.1")
    for time in [device.createdAt, device.connectedAt, device.lastSeenAt] {
      #expect(abs(store.now.seconds(since: try #require(time))) < 3600)
    }
  }
}
