import Core
import Cryptography
import Foundation
import HubWords
import NIOCore
import NIOPosix
import Signing
import Storage
import TestSupport
import Testing

@testable import Hub

/// Signatures and addresses that let a companion in, as the clock and the connection change.
struct DoorCompanionTests {
  private let home: Home
  private let door: Door
  private let seed = Ed25519.makeSeed()
  private let publicKey: String
  private let id: String
  private let paired = Timestamp(milliseconds: 1_772_013_600_000)
  private let local = try? SocketAddress(ipAddress: "10.0.0.7", port: 7878)
  private let peer = try? SocketAddress(ipAddress: "10.0.0.20", port: 40_000)

  init() throws {
    home = try Home()
    publicKey = Data(try #require(try Ed25519.publicKey(seed: seed))).base64EncodedString()
    door = try Door(in: home.directories)
    let desk = PairingDesk(door.store, report: { _ in })
    let code = desk.start(lifetime: nil, at: paired)
    let completion = PairingCompletion(
      pairingCode: code.code, pairingToken: nil, deviceName: "phone",
      devicePublicKey: publicKey)
    id = try desk.complete(completion, from: "10.0.0.20", at: paired).id
  }

  private func after(_ seconds: Double) -> Timestamp { paired.adding(seconds: seconds) }

  private func visit(
    signedAt seconds: Double? = nil, nonce: String = "n", as other: String? = nil
  ) -> Credential {
    let ends = Credential.Ends(peer: peer, local: local)
    guard let seconds else { return .address(ends) }
    var message = SignedMessage(
      method: "GET", authority: "10.0.0.7:7878", path: "/companion/status")
    let signature = try? MessageSignature(
      message, covering: ["@method", "@authority", "@path"], keyId: other ?? id,
      created: Int(after(seconds).milliseconds / 1000), nonce: nonce
    ) { (bytes) throws(Failure) in try Ed25519.signature(of: bytes, seed: seed) }
    message.fields = signature?.fields ?? []
    return .signature(message, body: [], ends)
  }

  /// The kind of a visit's refusal; nil if the device is let in.
  private func refusal(_ visit: Credential, at seconds: Double) async -> FailureKind? {
    do throws(Failure) {
      _ = try await door.visitor(by: visit, at: after(seconds))
      return nil
    } catch {
      return error.kind
    }
  }

  @Test func `who pairs again after the hub's clock was ahead comes in at once`() async throws {
    let old = visit(signedAt: 10, nonce: "old")
    for second in [10.0, 3610, 4310] {
      let visit = second == 10 ? old : visit(signedAt: second, nonce: "\(second)")
      #expect(await refusal(visit, at: second) == nil)
    }
    // All of an hour's nonces are forgotten, and the clock is right again.
    let failure = await #expect(throws: Failure.self) {
      _ = try await door.visitor(by: visit(signedAt: 20), at: after(20))
    }
    #expect(failure?.kind == .clockWentBack)
    #expect(failure?.explanation.contains(after(3610).iso8601) == true)
    let desk = PairingDesk(door.store, report: { _ in })
    let code = desk.start(lifetime: nil, at: after(30))
    let completion = PairingCompletion(
      pairingCode: code.code, pairingToken: nil, deviceName: "phone",
      devicePublicKey: publicKey)
    let device = try desk.complete(completion, from: "10.0.0.20", at: after(30))
    #expect(device.id != id && device.auth == "signed")
    #expect(try desk.complete(completion, from: "10.0.0.20", at: after(31)).id == device.id)
    #expect(try await door.companions().map(\.id) == [device.id])
    #expect(await refusal(visit(signedAt: 31, as: device.id), at: 31) == nil)
    for credential in [old, visit(signedAt: 31, nonce: "by the old id")] {
      await #expect(throws: Failure.self) {
        try await door.visitor(by: credential, at: after(31))
      }
    }
  }

  @Test func `a request is good once though the clock goes forward and back`() async {
    let first = visit(signedAt: 10, nonce: "first")
    #expect(await refusal(first, at: 10) == nil)
    #expect(await refusal(first, at: 11) == .replayed)
    // An hour ahead, the nonce is forgotten.
    #expect(await refusal(visit(signedAt: 3610, nonce: "ahead"), at: 3610) == nil)
    #expect(await refusal(first, at: 12) == .clockWentBack)
    #expect(await refusal(visit(signedAt: 9, nonce: "withheld"), at: 13) == .clockWentBack)
    // What is signed from then on is good.
    #expect(await refusal(visit(signedAt: 14, nonce: "second"), at: 14) == nil)
    #expect(await refusal(visit(signedAt: 3610, nonce: "ahead"), at: 3611) == .replayed)
    // The clock was ahead once more just now.
    #expect(await refusal(visit(signedAt: 14, nonce: "second"), at: 15) == .clockWentBack)
  }

  @Test func `an unsigned device that was away for 30 days pairs again`() async {
    #expect(await refusal(visit(), at: 29 * 86_400) == nil)
    #expect(await refusal(visit(), at: 58 * 86_400) == nil)
    #expect(await refusal(visit(), at: 89 * 86_400) == .unsigned)
  }

  @Test func `a device that signs may stay away`() async {
    #expect(await refusal(visit(signedAt: 5), at: 5) == nil)
    #expect(await refusal(visit(signedAt: 400 * 86_400), at: 400 * 86_400) == nil)
  }

  @Test(arguments: [
    ("10.0.0.7:7878", true), ("10.0.0.7:9000", false), ("10.0.0.7", false),
    ("10.0.0.8:7878", false),
    ("localhost:7878", false), ("127.0.0.1:7878", false), ("build:7878", true),
    ("build:9000", false),
    ("hub.example.org", true), ("hub.example.org:443", true), ("hub.example.org:7878", false),
    ("other.example.org", false), ("", false), ("10.0.0.7:7878x", false),
  ])
  func `an authority is the hub's own by host and port`(authority: String, isOwn: Bool) {
    let rule = AccessRule(names: ["build:1"], publicURL: "https://hub.example.org/pipes")
    #expect(rule.isOwn(authority, on: local, isSecure: false) == isOwn)
  }

  @Test func `localhost is the hub's own on a loopback connection alone`() throws {
    let tunnel = AccessRule(names: [], publicURL: "http://localhost:9000")
    let loopback = try SocketAddress(ipAddress: "127.0.0.1", port: 7878)
    #expect(tunnel.isOwn("localhost:9000", on: loopback, isSecure: false))
    #expect(!tunnel.isOwn("localhost:9000", on: local, isSecure: false))
    #expect(tunnel.isOwn("localhost:7878", on: loopback, isSecure: false))
    #expect(!AccessRule().isOwn("localhost:9000", on: loopback, isSecure: false))
    // Companions ask and sign an address of it.
    #expect(tunnel.isOwn("127.0.0.1:9000", on: loopback, isSecure: false))
    #expect(!tunnel.isOwn("127.0.0.1:9000", on: local, isSecure: false))
    #expect(!tunnel.isOwn("[::1]:9000", on: loopback, isSecure: false))
  }

  @Test func `a connection from another own address is this machine's`() async throws {
    let devices = try System.enumerateDevices()
    let own = devices.compactMap(\.address).first { address in
      if case .v4 = address { return !address.isLoopback }
      return false
    }
    guard let own, let address = own.ipAddress else { return }
    let group = MultiThreadedEventLoopGroup.singleton
    let server = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
    let client = try await ClientBootstrap(group: group)
      .bind(to: try SocketAddress(ipAddress: address, port: 0))
      .connect(host: "127.0.0.1", port: server.localAddress?.port ?? 0).get()
    let (peer, local) = (client.localAddress, client.remoteAddress)
    #expect(peer?.plainAddress == address)
    #expect(SocketOwner.isOfThisMachine(peer: peer, local: local))
    #expect(SocketOwner.owner(peer: peer, local: local) == getuid())
    #expect(SocketOwner.isOurs(peer: peer, local: local))
    let far = try SocketAddress(ipAddress: "198.51.100.7", port: 9)
    #expect(!SocketOwner.isOfThisMachine(peer: far, local: local))
    #expect(SocketOwner.owner(peer: far, local: local) == nil)
    try await client.close()
    try await server.close()
  }
}
