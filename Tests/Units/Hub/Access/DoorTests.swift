import Core
import Cryptography
import Dispatch
import Foundation
import HubWords
import NIOCore
import NIOPosix
import Signing
import Storage
import TestSupport
import Testing
import Tokens

@testable import Hub

/// Each credential is a visitor's, or is refused.
struct DoorTests {
  private let home: Home
  private let door: Door
  private let devices: DeviceDesk
  private let seed = Ed25519.makeSeed()
  private let publicKey: String
  private let now = Timestamp(milliseconds: 1_772_013_600_000)
  private let far: Credential.Ends

  init() throws {
    home = try Home()
    publicKey = Data(try #require(try Ed25519.publicKey(seed: seed))).base64EncodedString()
    door = try Door(in: home.directories)
    devices = DeviceDesk(door.store)
    far = Credential.Ends(
      peer: try SocketAddress(ipAddress: "10.0.0.20", port: 40_000),
      local: try SocketAddress(ipAddress: "10.0.0.7", port: 7878))
  }

  private func registered(_ scope: DeviceScope) throws -> TokenGrant {
    let code = try devices.makeCode(scope: scope, at: now).code
    return try devices.register(
      DeviceRegistration(code: code, deviceName: "ci", devicePublicKey: publicKey), at: now)
  }

  private func paired() throws -> Device {
    let desk = PairingDesk(door.store, report: { _ in })
    let completion = PairingCompletion(
      pairingCode: desk.start(lifetime: nil, at: now).code, pairingToken: nil,
      deviceName: "phone", devicePublicKey: publicKey)
    return try desk.complete(completion, from: "10.0.0.20", at: now)
  }

  private func signed(
    by id: String, at seconds: Int = 1, to authority: String = "10.0.0.7:7878",
    for body: [UInt8] = [], sent: [UInt8]? = nil
  ) -> Credential {
    var message = SignedMessage(method: "POST", authority: authority, path: "/companion/disconnect")
    var components = ["@method", "@authority", "@path"]
    if !body.isEmpty {
      message.fields = [("Content-Digest", ContentDigest.field(body))]
      components.append("content-digest")
    }
    let signature = try? MessageSignature(
      message, covering: components, keyId: id,
      created: Int(now.milliseconds / 1000) + seconds, nonce: Identifier.make()
    ) { (bytes) throws(Failure) in try Ed25519.signature(of: bytes, seed: seed) }
    message.fields += signature?.fields ?? []
    return .signature(message, body: sent ?? body, far)
  }

  /// The code and the kind of a refusal; nil for a visitor, and for nobody.
  private func refusal(
    of credentials: Credential..., at door: Door? = nil
  ) async -> (code: FailureCode, kind: FailureKind?)? {
    do throws(Failure) {
      for credential in credentials {
        _ = try await (door ?? self.door).visitor(by: credential, at: now.adding(seconds: 1))
      }
      return nil
    } catch {
      return (error.code, error.kind)
    }
  }

  // MARK: Tokens

  @Test(arguments: DeviceScope.allCases, [true, false])
  func `a token is that of its device, from anywhere`(scope: DeviceScope, isLocal: Bool)
    async throws
  {
    let grant = try registered(scope)
    let visitor = try await door.visitor(
      by: .bearer("Bearer \(grant.accessToken)", isLocal: isLocal), at: now)
    #expect(visitor?.deviceId == grant.deviceId && visitor?.name == "ci")
    #expect(visitor?.scope == scope)
  }

  @Test(arguments: [nil, "", "Bearer", "Basic YTpi", "Bearer x"])
  func `nobody comes without a token`(field: String?) async {
    #expect(await refusal(of: .bearer(field, isLocal: true))?.code == .authExpired)
  }

  @Test func `the token of a revoked device is refused`() async throws {
    let grant = try registered(.all)
    _ = try devices.revoke(grant.deviceId)
    let credential = Credential.bearer("Bearer \(grant.accessToken)", isLocal: true)
    #expect(await refusal(of: credential)?.code == .authExpired)
  }

  @Test func `the owner's token is the owner's on this machine alone`() async throws {
    let token = try #require(try OwnerToken.existing(in: home.directories))
    let visitor = try await door.visitor(by: .bearer("Bearer \(token)", isLocal: true))
    #expect(visitor == .owner)
    #expect(visitor?.deviceId == nil && visitor?.scope == .all && visitor?.name.isEmpty == false)
    #expect(
      await refusal(of: .bearer("Bearer \(token)", isLocal: false))?.code == .permissionDenied)
    let other = "Bearer \(AccessToken.owner.make())"
    #expect(await refusal(of: .bearer(other, isLocal: true))?.code == .authExpired)
  }

  @Test(arguments: DeviceScope.allCases)
  func `a question for operators needs the scope all`(scope: DeviceScope) async throws {
    // The door judges a head by the clock.
    let code = try devices.makeCode(scope: scope).code
    let token = try devices.register(
      DeviceRegistration(code: code, deviceName: "ci", devicePublicKey: publicKey)
    ).accessToken
    var head = Door.Head(
      hosts: ["10.0.0.7:7878"], origins: [], fetchSites: [], authorization: "Bearer \(token)",
      ends: far)
    #expect(try await door.visitor(head, for: .devices)?.scope == scope)
    let allowed: [DeviceScope: [Door.Audience]] = [
      .all: [.operators, .senders, .people(.read), .people(.decide), .people(.steer)],
      .events: [.senders], .hub: [.senders], .read: [.people(.read)],
      .decide: [.people(.read), .people(.decide)],
      .steer: [.people(.read), .people(.decide), .people(.steer)],
    ]
    let audiences: [Door.Audience] = [
      .operators, .senders, .people(.read), .people(.decide), .people(.steer),
    ]
    for audience in audiences {
      if allowed[scope, default: []].contains(audience) {
        #expect(try await door.visitor(head, for: audience)?.scope == scope)
      } else {
        let failure = await #expect(throws: Failure.self) {
          try await door.visitor(head, for: audience)
        }
        #expect(failure?.code == .permissionDenied)
      }
    }
    // A token is not a cookie.
    head.cookies = ["agentpipes-0=\(token)"]
    await #expect(throws: Failure.self) { try await door.visitor(head, for: .browsers(.read)) }
    #expect(try await door.visitor(head, for: .everybody) == nil)
    head.hosts = ["hub.example.org"]
    await #expect(throws: Failure.self) { try await door.visitor(head, for: .everybody) }
  }

  // MARK: Signatures

  @Test func `a signature is that of its companion`() async throws {
    let id = try paired().id
    let visitor = try await door.visitor(by: signed(by: id), at: now.adding(seconds: 1))
    #expect(visitor?.deviceId == id && visitor?.scope == .companion)
    #expect(visitor?.device?.auth == "signed")
    let body = Array("{}".utf8)
    #expect(await refusal(of: signed(by: id, for: body)) == nil)
  }

  @Test func `a signature of somebody else, for another hub, body or time is refused`()
    async throws
  {
    let id = try paired().id
    #expect(await refusal(of: signed(by: "nobody"))?.kind == .signature)
    #expect(await refusal(of: signed(by: id, to: "10.0.0.7:9"))?.kind == .signature)
    #expect(await refusal(of: signed(by: id, to: "10.0.0.8:7878"))?.kind == .signature)
    let changed = signed(by: id, for: Array("{}".utf8), sent: Array("[]".utf8))
    #expect(await refusal(of: changed)?.kind == .signature)
    #expect(await refusal(of: signed(by: id, sent: Array("{}".utf8)))?.kind == .signature)
    #expect(await refusal(of: signed(by: id, at: 302))?.code == .clockSkew)
    #expect(await refusal(of: signed(by: id, at: -300))?.code == .clockSkew)
    let once = signed(by: id)
    #expect(await refusal(of: once) == nil)
    #expect(await refusal(of: once)?.kind == .replayed)
    let nothing = SignedMessage(method: "GET", authority: "10.0.0.7:7878", path: "/")
    #expect(await refusal(of: .signature(nothing, body: [], far))?.kind == .signature)
    _ = try devices.revoke(id)
    #expect(await refusal(of: signed(by: id))?.code == .deviceRevoked)
  }

  // MARK: Addresses and processes

  @Test func `an address is that of the companion that paired from it`() async throws {
    #expect(try await door.visitor(by: .address(far)) == nil)
    let id = try paired().id
    let visitor = try await door.visitor(by: .address(far), at: now)
    #expect(visitor?.deviceId == id && visitor?.scope == .companion)
    var other = far
    other.peer = try SocketAddress(ipAddress: "10.0.0.21", port: 40_000)
    #expect(try await door.visitor(by: .address(other), at: now) == nil)
    let strict = try Door(in: home.directories, .strict)
    #expect(await refusal(of: .address(far), at: strict)?.kind == .unsigned)
    #expect(await refusal(of: signed(by: id), .address(far))?.kind == .unsigned)
    _ = try devices.revoke(id)
    #expect(await refusal(of: .address(far))?.code == .deviceRevoked)
  }

  @Test func `a process of ours is the owner's unless all has to be signed`() async throws {
    let group = MultiThreadedEventLoopGroup.singleton
    let server = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
    let client = try await ClientBootstrap(group: group)
      .connect(host: "127.0.0.1", port: server.localAddress?.port ?? 0).get()
    let ends = Credential.Ends(peer: client.localAddress, local: client.remoteAddress)
    #expect(try await door.visitor(by: .owner(ends)) == .owner)
    #expect(try await door.visitor(by: .owner(far)) == nil)
    let strict = try Door(in: home.directories, .strict)
    #expect(try await strict.visitor(by: .owner(ends)) == nil)
    // An address that is refused leaves the owner.
    _ = try devices.revoke(try paired().id)
    #expect(
      try await door.visitor(by: [.address(far), .owner(ends)], at: now) == .owner)
    await #expect(throws: Failure.self) {
      try await door.visitor(by: [.address(far), .owner(far)], at: now)
    }
    try await client.close()
    try await server.close()
  }

  @Test func `a device's token makes no companion, and a signature beside it does`() async throws {
    let bearer = Credential.bearer("Bearer \(try registered(.all).accessToken)", isLocal: true)
    let id = try paired().id
    #expect(try await door.visitor(by: [bearer], at: now) == nil)
    let visitor = try await door.visitor(by: [bearer, signed(by: id, at: 0)], at: now)
    #expect(visitor?.deviceId == id)
    #expect(try await door.visitor(by: [], at: now) == nil)
  }

  @Test func `a browser's cookie is found among others, and is bound to the way it was set`()
    async throws
  {
    let near = Credential.Ends(
      peer: try SocketAddress(ipAddress: "127.0.0.1", port: 1),
      local: try SocketAddress(ipAddress: "127.0.0.1", port: 7878))
    let tokens = try [AccessToken.browser, .ownBrowser].map {
      try devices.add(browser: "wall", .read, $0, by: nil, at: now).token
    }
    let tossed = AccessToken.browser.make()
    // No process of this machine has the socket of `near`, so that it is not the hub's user.
    for (token, isSecure, ends, isIn) in [
      (tokens[0], false, far, true), (tokens[0], true, near, true), (tokens[0], false, near, false),
      (tokens[1], false, far, false), (tokens[1], true, near, false),
      (tokens[1], false, near, false),
    ] {
      let cookie = Credential.cookie([tossed, "x", token], isSecure: isSecure, ends)
      let refused = await refusal(of: cookie)
      #expect(refused?.code == (isIn ? nil : .authExpired))
      if isIn {
        let visitor = try await door.visitor(by: cookie, at: now)
        #expect(visitor?.name == "wall")
        #expect(
          visitor
            == .browser(
              try #require(visitor?.device), formToken: BrowserCookie.formToken(of: token)))
      }
    }
  }

  @Test(arguments: [
    ("laptop", false), (LoginName.current, true),
    (" \(LoginName.current.uppercased())\u{200B}", true),
    ("threshold", true), ("\(LoginName.current)2", false),
  ])
  func `a device does not have the operator's name`(name: String, isTaken: Bool) {
    let visitor = Visitor.device(
      Device(id: "d", name: name, scope: .all, createdAt: now))
    #expect(visitor.name == (isTaken ? "\(name) (device)" : name))
    #expect(Visitor.owner.name == LoginName.current)
  }

  // MARK: Threads

  @Test(.timeLimit(.minutes(10)))
  func `a lookup waits neither for the writer's thread nor for its transaction`() async throws {
    let grant = try registered(.all)
    let id = try paired().id
    let (began, continuation) = AsyncStream.makeStream(of: Void.self)
    let mayEnd = DispatchSemaphore(value: 0)
    let (threads, store) = (door.threads, door.store)
    let change = Task {
      try await threads.write { () throws(Failure) in
        try store.base.write { _ in
          continuation.finish()
          mayEnd.wait()
        }
      }
    }
    for await _ in began {}
    let bearer = Credential.bearer("Bearer \(grant.accessToken)", isLocal: false)
    #expect(try await door.visitor(by: bearer, at: now)?.deviceId == grant.deviceId)
    // It was seen when it paired.
    #expect(try await door.visitor(by: .address(far), at: now)?.deviceId == id)
    #expect(try await door.companions().map(\.id) == [id])
    #expect(await refusal(of: signed(by: id, at: 302))?.code == .clockSkew)
    mayEnd.signal()
    try await change.value
  }
}
