import Core
import Foundation
import HubWords
import Storage
import TestSupport
import Testing
import Tokens

@testable import Hub

/// Browsers come with a code, go on with a cookie, and end with the device that let them in.
struct BrowserAccessTests {
  private static let key = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
  private let home: Home
  private let desk: DeviceDesk
  private let now = Timestamp(milliseconds: 1_772_013_600_000)

  init() throws {
    home = try Home()
    desk = DeviceDesk(try Store(home.directories))
  }

  private func days(_ days: Double) -> Timestamp { now.adding(seconds: days * 86_400) }

  private func code(_ work: () throws -> Void) -> FailureCode? {
    do {
      try work()
      return nil
    } catch {
      return (error as? Failure)?.code
    }
  }

  @Test(arguments: [(DeviceScope.read, 30.0), (.decide, 30), (.steer, 0.5)])
  func `an access ends a while after its last use`(scope: DeviceScope, lifetime: Double) throws {
    let (browser, token) = try desk.add(browser: "wall", scope, by: nil, at: now)
    #expect(browser.via == "page" && browser.scope == scope)
    let soon = try desk.browser(token, at: now.adding(seconds: 59))
    #expect(soon.browser == browser && !soon.isDue)
    #expect(try desk.browser(token, at: days(lifetime * 0.9)).isDue)
    #expect(code { _ = try desk.browser(token, at: days(lifetime)) } == .authExpired)
    try desk.extend(token, of: browser, at: days(lifetime * 0.9))
    #expect(
      try desk.browser(token, at: days(lifetime * 1.8)).browser.lastSeenAt == days(lifetime * 0.9))
    #expect(code { _ = try desk.browser(token, at: days(lifetime * 1.9)) } == .authExpired)
  }

  @Test func `its token is no other's, and no other token is a browser's`() throws {
    let (_, token) = try desk.add(browser: "wall", .steer, by: nil, at: now)
    #expect(code { _ = try desk.authenticate(token, at: now) } == .authExpired)
    #expect(
      code { _ = try desk.refresh(TokenRenewal(refreshToken: token), at: now) } == .authExpired)
    let grant = try desk.register(
      DeviceRegistration(
        code: try desk.makeCode(scope: .all, at: now).code, deviceName: "a",
        devicePublicKey: Self.key), at: now)
    for other in [
      grant.accessToken, grant.refreshToken, token + "x", "", AccessToken.browser.make(),
    ] {
      #expect(code { _ = try desk.browser(other, at: now) } == .authExpired)
    }
  }

  @Test func `a browser ends with the device that signed it in, and with no other`() throws {
    let devices = try ["a", "b"].map { name in
      try desk.register(
        DeviceRegistration(
          code: try desk.makeCode(scope: .all, name: name, at: now).code, deviceName: name,
          devicePublicKey: Self.key), at: now
      ).deviceId
    }
    let tokens = try (devices + [nil]).map {
      try desk.add(browser: "x", .read, by: $0, at: now).token
    }
    _ = try desk.revoke("a")
    #expect(
      tokens.map { token in code { _ = try desk.browser(token, at: now) } }
        == [.authExpired, nil, nil])
    #expect(try desk.devices().filter(\.revoked).map(\.name) == ["a", "x"])
    #expect(
      code { _ = try desk.add(browser: "y", .read, by: devices[0], at: now) } == .deviceRevoked)
  }

  @Test func `a browser whose access ended long ago is forgotten when another comes`() throws {
    let old = try desk.add(browser: "old", .read, by: nil, at: now).browser
    let newer = try desk.add(browser: "newer", .read, by: nil, at: days(60)).browser
    #expect(try desk.devices().map(\.id).sorted() == [old.id, newer.id].sorted())
    let newest = try desk.add(browser: "newest", .read, by: nil, at: days(60.1)).browser
    #expect(try desk.devices().map(\.id).sorted() == [newer.id, newest.id].sorted())
  }

  @Test func `a browser is in the store of its machine, and ends with a device of the shared one`()
    throws
  {
    let machines = try [Home(), Home()].map { try Store($0.directories) }
    let shared = try Store(home.directories)
    let hubs = machines.map { DeviceDesk(shared, of: $0) }
    let grant = try hubs[0].register(
      DeviceRegistration(
        code: try hubs[1].makeCode(scope: .all, at: now).code, deviceName: "a",
        devicePublicKey: Self.key), at: now)
    let (browser, token) = try hubs[0].add(browser: "x", .read, by: grant.deviceId, at: now)
    #expect(try hubs[0].browser(token, at: now).browser == browser)
    #expect(code { _ = try hubs[1].browser(token, at: now) } == .authExpired)
    #expect(try hubs.map { try $0.devices().map(\.name) } == [["a", "x"], ["a"]])
    try hubs[0].setPushToken(PushTokenUpdate(pushToken: "p"), of: browser.id, isBrowser: true)
    #expect(try hubs[0].hasPushToken(browser.id))
    // The device may be revoked at either hub.
    _ = try hubs[1].revoke("a")
    #expect(code { _ = try hubs[0].browser(token, at: now) } == .authExpired)
    #expect(
      code { _ = try hubs[0].add(browser: "y", .read, by: grant.deviceId, at: now) }
        == .deviceRevoked)
  }

  @Test func `a code is spent once, in time`() throws {
    let codes = PageCodes()
    func make(_ scope: DeviceScope) -> String {
      codes.make(
        .init(scope: scope, name: nil, deviceId: nil, expiresAt: now.adding(seconds: 300)), at: now)
    }
    let (one, other) = (make(.read), make(.steer))
    #expect(one.wholeMatch(of: #/[0-9A-Za-z_-]{22}/#) != nil && one != other)
    for _ in 1...3 { #expect(try codes.find(one, at: now).scope == .read) }
    #expect(try codes.spend(one, at: now).scope == .read)
    for work in [codes.find, codes.spend] {
      #expect(code { _ = try work(one, now) } == .pairingCodeInvalid)
      #expect(code { _ = try work("", now) } == .pairingCodeInvalid)
    }
    #expect(try codes.find(other, at: now.adding(seconds: 299)).scope == .steer)
    #expect(
      code { _ = try codes.spend(other, at: now.adding(seconds: 300)) } == .pairingCodeInvalid)
    // The oldest of too many codes gives way.
    let first = make(.read)
    for _ in 1..<PageCodes.most { _ = make(.read) }
    #expect(code { _ = try codes.find(first, at: now) } == nil)
    _ = make(.read)
    #expect(code { _ = try codes.find(first, at: now) } == .pairingCodeInvalid)
  }

  @Test func `a cookie is found by its name, and bound to the host over https`() {
    let (plain, secure) = (
      BrowserCookie(isSecure: false, port: 7878), BrowserCookie(isSecure: true, port: 7878)
    )
    let fields = [
      "a=1; agentpipes-7878=x=y", "__Host-agentpipes=z; agentpipes-78=w; agentpipes-7878",
    ]
    #expect(plain.values(in: fields) == ["x=y"] && secure.values(in: fields) == ["z"])
    #expect(plain.values(in: ["agentpipes-7878"]).isEmpty && secure.values(in: []).isEmpty)
    #expect(
      plain.values(in: ["agentpipes-7878=a; agentpipes-7878=b", "agentpipes-7878=a"]) == ["a", "b"])
    #expect(
      plain.field("t") == "agentpipes-7878=t; Path=/page; Max-Age=34560000; HttpOnly; SameSite=Lax")
    #expect(secure.field("").hasPrefix("__Host-agentpipes=; Path=/; Max-Age=0;"))
    #expect(secure.field("t").hasSuffix("; Secure"))
    #expect(BrowserCookie.formToken(of: "a") != BrowserCookie.formToken(of: "b"))
  }
}
