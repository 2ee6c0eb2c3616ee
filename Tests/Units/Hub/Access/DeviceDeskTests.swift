import Core
import Foundation
import Hub
import HubWords
import Storage
import TestSupport
import Testing
import Tokens

/// Devices come with a code, go on with tokens, and can be shut out.
struct DeviceDeskTests {
  private static let key = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
  private let home: Home
  private let desk: DeviceDesk
  private let now = Timestamp(milliseconds: 1_772_013_600_000)

  init() throws {
    home = try Home()
    desk = DeviceDesk(try Store(home.directories))
  }

  private func after(_ seconds: Double) -> Timestamp { now.adding(seconds: seconds) }

  private func request(_ code: String, name: String = "phone", key: String = Self.key)
    -> DeviceRegistration
  {
    DeviceRegistration(code: code, deviceName: name, devicePublicKey: key)
  }

  private func registered(_ scope: DeviceScope = .all, named name: String? = nil) throws
    -> TokenGrant
  {
    let code = try desk.makeCode(scope: scope, name: name, at: now).code
    return try desk.register(request(code), at: now)
  }

  private func code(_ work: () throws -> Void) -> FailureCode? {
    do {
      try work()
      return nil
    } catch {
      return (error as? Failure)?.code
    }
  }

  private func renewed(_ token: String, _ seconds: Double) throws -> TokenGrant {
    try desk.refresh(TokenRenewal(refreshToken: token), at: after(seconds))
  }

  private func refusal(of token: String, _ seconds: Double = 0) -> FailureCode? {
    code { _ = try desk.authenticate(token, at: after(seconds)) }
  }

  // MARK: Codes

  @Test func `a code lets one device in, once`() throws {
    let pairing = try desk.makeCode(scope: .events, name: "ci", at: now)
    #expect(pairing.code.wholeMatch(of: #/[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}/#) != nil)
    #expect(pairing.expiresAt == after(600))
    let grant = try desk.register(request(pairing.code), at: after(599))
    #expect(grant.expiresIn == 3600)
    let visitor = try desk.authenticate(grant.accessToken, at: after(600))
    #expect(visitor == Visitor(deviceId: grant.deviceId, name: "ci", scope: .events))
    #expect(
      code { _ = try desk.register(request(pairing.code), at: after(599)) } == .pairingCodeInvalid)
    var device = Device(id: grant.deviceId, name: "ci", scope: .events, createdAt: after(599))
    device.lastSeenAt = after(599)
    #expect(try desk.devices() == [device])
  }

  @Test func `of many devices that show one code at once one is let in`() async throws {
    let code = try desk.makeCode(scope: .all, at: now).code
    let (desk, request, now) = (desk, request(code), now)
    let count = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 { group.addTask { (try? desk.register(request, at: now)) != nil } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(count == 1)
    #expect(try desk.devices().count == 1)
  }

  @Test func `a code is read as people type it`() throws {
    let code = try desk.makeCode(scope: .all, at: now).code
    let typed = code.lowercased().replacing("0", with: "o").replacing("1", with: "L")
      .replacing("-", with: " ")
    _ = try desk.register(request(typed), at: now)
  }

  @Test func `a code is good for ten minutes`() throws {
    let code = try desk.makeCode(scope: .all, at: now).code
    #expect(
      self.code { _ = try desk.register(request(code), at: after(600)) } == .pairingCodeExpired)
    #expect(try desk.devices().isEmpty)
  }

  @Test func `five wrong tries void a code, and no other`() throws {
    let (code, other) = (
      try desk.makeCode(scope: .all, at: now).code, try desk.makeCode(scope: .all, at: now).code
    )
    let wrong = code.dropLast() + (code.hasSuffix("7") ? "8" : "7")
    for _ in 0..<DeviceDesk.mostTries {
      #expect(
        self.code { _ = try desk.register(request(String(wrong)), at: now) } == .pairingCodeInvalid)
    }
    #expect(self.code { _ = try desk.register(request(code), at: now) } == .pairingCodeInvalid)
    _ = try desk.register(request(other), at: now)
  }

  @Test func `twenty wrong tries a minute are looked at, then the right one waits too`() throws {
    let right = try desk.makeCode(scope: .all, at: now).code
    for index in 0..<20 {
      let wrong = index % 2 == 0 ? "no code" : "00000-0000\(index % 10)"
      #expect(
        code { _ = try desk.register(request(wrong), at: after(Double(index))) }
          == .pairingCodeInvalid)
    }
    let failure = #expect(throws: Failure.self) {
      try desk.register(request(right), at: after(20))
    }
    #expect(failure?.code == .rateLimited)
    #expect(failure?.retryAfterSeconds == 40)
    _ = try desk.register(request(right), at: after(60))
  }

  @Test(arguments: [
    ("", key), (" ", key), ("a\nb", key), (String(repeating: "x", count: 101), key), ("phone", ""),
    ("phone", "AAAA"), ("phone", "not base64 at all, and 44 characters long ..."),
  ])
  func `a name and a key that are none are refused, and the code stays good`(
    name: String, key: String
  ) throws {
    let code = try desk.makeCode(scope: .all, at: now).code
    #expect(
      self.code { _ = try desk.register(request(code, name: name, key: key), at: now) } == .badInput
    )
    _ = try desk.register(request(code), at: now)
  }

  @Test func `the store holds no code and no token`() throws {
    let pairing = try desk.makeCode(scope: .all, at: now)
    let open = try desk.makeCode(scope: .all, at: now)
    let grant = try desk.register(request(pairing.code), at: now)
    let next = try renewed(grant.refreshToken, 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: home.directories.data)
    let bytes = names.reduce(Data()) {
      $0 + (FileManager.default.contents(atPath: "\(home.directories.data)/\($1)") ?? Data())
    }
    for text in [
      pairing.code, open.code, open.code.replacing("-", with: ""), grant.accessToken,
      grant.refreshToken, next.accessToken, next.refreshToken,
    ] {
      #expect(bytes.range(of: Data(text.utf8)) == nil)
    }
    #expect(bytes.range(of: Data(grant.deviceId.utf8)) != nil, "the files are those of the store")
  }

  // MARK: Tokens

  @Test func `an access token is good for an hour, and a pair gets the next one`() throws {
    let first = try registered()
    #expect(refusal(of: first.accessToken, 3599) == nil)
    #expect(refusal(of: first.accessToken, 3600) == .authExpired)
    let second = try renewed(first.refreshToken, 3600)
    #expect(second.deviceId == first.deviceId)
    #expect(Set([second.accessToken, second.refreshToken]).isDisjoint(with: [first.refreshToken]))
    #expect(refusal(of: second.accessToken, 3601) == nil)
    #expect(try desk.devices().first?.lastSeenAt == after(3600))
  }

  @Test func `an access token stays good for its hour when the next pair was given`() throws {
    let first = try registered()
    _ = try renewed(first.refreshToken, 10)
    #expect(refusal(of: first.accessToken, 3599) == nil)
  }

  @Test func `tokens are good for what they are`() throws {
    let grant = try registered()
    #expect(refusal(of: grant.refreshToken) == .authExpired)
    #expect(code { _ = try renewed(grant.accessToken, 1) } == .authExpired)
    #expect(refusal(of: "") == .authExpired)
    #expect(refusal(of: AccessToken.access.make()) == .authExpired)
    #expect(code { _ = try renewed(AccessToken.refresh.make(), 1) } == .authExpired)
  }

  @Test func `a refresh token is too old after ninety days`() throws {
    let grant = try registered()
    #expect(code { _ = try renewed(grant.refreshToken, 90 * 86_400) } == .authExpired)
    _ = try renewed(grant.refreshToken, 90 * 86_400 - 1)
  }

  @Test func `an answer that was lost is made good for a minute, and what it held is void`() throws
  {
    let first = try registered()
    let lost = try renewed(first.refreshToken, 0)
    let again = try renewed(first.refreshToken, 60)
    #expect(refusal(of: lost.accessToken, 61) == .authExpired)
    #expect(refusal(of: again.accessToken, 61) == nil)
    let third = try renewed(first.refreshToken, 60)
    #expect(refusal(of: again.accessToken, 61) == .authExpired)
    let next = try renewed(third.refreshToken, 3000)
    #expect(refusal(of: next.accessToken, 3001) == nil)
  }

  @Test func `a token that is spent again after a minute shuts the device out`() throws {
    let first = try registered()
    let second = try renewed(first.refreshToken, 0)
    #expect(code { _ = try renewed(first.refreshToken, 61) } == .deviceRevoked)
    #expect(refusal(of: second.accessToken, 62) == .authExpired)
    #expect(code { _ = try renewed(second.refreshToken, 62) } == .deviceRevoked)
    #expect(try desk.devices().map(\.revoked) == [true])
  }

  @Test func `a token before the last one shuts the device out at once`() throws {
    let first = try registered()
    let second = try renewed(first.refreshToken, 0)
    _ = try renewed(second.refreshToken, 1)
    #expect(code { _ = try renewed(first.refreshToken, 2) } == .deviceRevoked)
  }

  @Test func `whoever has the pair that was void shuts the device out`() throws {
    let first = try registered()
    let stolen = try renewed(first.refreshToken, 0)
    let own = try renewed(first.refreshToken, 5)
    #expect(code { _ = try renewed(stolen.refreshToken, 6) } == .deviceRevoked)
    #expect(refusal(of: own.accessToken, 7) == .authExpired)
  }

  @Test func `of many that spend one token at once, all get a pair and the last one's is good`()
    async throws
  {
    let first = try registered()
    let (desk, renewal, now) = (desk, TokenRenewal(refreshToken: first.refreshToken), now)
    let pairs = await withTaskGroup(of: TokenGrant?.self) { group in
      for _ in 0..<8 { group.addTask { try? desk.refresh(renewal, at: now) } }
      return await group.reduce(into: [TokenGrant]()) { if let grant = $1 { $0.append(grant) } }
    }
    #expect(pairs.count == 8)
    #expect(pairs.filter { refusal(of: $0.accessToken, 1) == nil }.count == 1)
  }

  // MARK: Devices

  @Test func `a device that is revoked is let in no more`() throws {
    let (one, other) = (try registered(named: "one"), try registered(named: "other"))
    #expect(try desk.revoke("one").revoked)
    #expect(refusal(of: one.accessToken) == .authExpired)
    #expect(code { _ = try renewed(one.refreshToken, 1) } == .deviceRevoked)
    #expect(refusal(of: other.accessToken) == nil)
    #expect(try desk.devices().map(\.revoked) == [true, false])
    #expect(code { _ = try desk.revoke("one") } == .notFound)
    #expect(try desk.revoke(String(other.deviceId.suffix(8))).name == "other")
  }

  @Test func `a name that several devices have names none`() throws {
    for _ in 0..<2 { _ = try registered(named: "same") }
    #expect(code { _ = try desk.revoke("same") } == .badUsage)
    #expect(code { _ = try desk.revoke("nobody") } == .notFound)
  }

  @Test func `a push token is a registered device's`() throws {
    let grant = try registered()
    let visitor = try desk.authenticate(grant.accessToken, at: now)
    try desk.setPushToken(PushTokenUpdate(pushToken: "t"), of: visitor)
    try desk.setPushToken(PushTokenUpdate(pushToken: nil), of: visitor)
    let owner = Visitor(deviceId: nil, name: "ann", scope: .all)
    #expect(
      code { try desk.setPushToken(PushTokenUpdate(pushToken: "t"), of: owner) }
        == .permissionDenied)
    let long = PushTokenUpdate(pushToken: String(repeating: "x", count: 4097))
    #expect(code { try desk.setPushToken(long, of: visitor) } == .badInput)
  }

  // MARK: At the door

  @Test func `the operator of this machine comes with a token of their own`() throws {
    let door = try DoorKeeper(desk, home.directories)
    let token = try #require(try OwnerToken.existing(in: home.directories))
    let visitor = try door.visitor(authorization: "Bearer \(token)", isLocal: true, at: now)
    #expect(visitor.deviceId == nil && visitor.scope == .all && !visitor.name.isEmpty)
    #expect(
      code { _ = try door.visitor(authorization: "Bearer \(token)", isLocal: false, at: now) }
        == .permissionDenied)
    let other = AccessToken.owner.make()
    #expect(
      code { _ = try door.visitor(authorization: "Bearer \(other)", isLocal: true, at: now) }
        == .authExpired)
  }

  @Test(arguments: [nil, "", "Bearer", "Basic YTpi", "Bearer x"])
  func `nobody comes without a token`(field: String?) throws {
    let door = try DoorKeeper(desk, home.directories)
    #expect(
      code { _ = try door.visitor(authorization: field, isLocal: true, at: now) } == .authExpired)
  }

  @Test func `a device comes from anywhere`() throws {
    let door = try DoorKeeper(desk, home.directories)
    let grant = try registered(.hub)
    for isLocal in [true, false] {
      let visitor = try door.visitor(
        authorization: "Bearer \(grant.accessToken)", isLocal: isLocal, at: now)
      #expect(visitor == Visitor(deviceId: grant.deviceId, name: "phone", scope: .hub))
    }
  }
}
