import Companion
import Core
import Crypto
import Foundation
import HubWords
import NIOCore
import Signing
import Storage
import Testing
import TestSupport

@testable import Hub

/// Signatures and addresses that let a companion in, as the clock and the connection change.
struct CompanionDoorTests {
  private let home: Home
  private let door: CompanionDoor
  private let key = Curve25519.Signing.PrivateKey()
  private let id: String
  private let paired = Timestamp(milliseconds: 1_772_013_600_000)
  private let local = try? SocketAddress(ipAddress: "10.0.0.7", port: 7878)
  private let peer = try? SocketAddress(ipAddress: "10.0.0.20", port: 40_000)

  init() throws {
    home = try Home()
    let store = try Store(home.directories)
    door = CompanionDoor(mode: .address, store: store)
    let desk = PairingDesk(store)
    let code = desk.start(lifetime: nil, at: paired)
    let completion = PairingCompletion(
      pairingCode: code.code, pairingToken: nil, deviceName: "phone",
      devicePublicKey: key.publicKey.rawRepresentation.base64EncodedString())
    id = try desk.complete(completion, from: "10.0.0.20", at: paired).id
  }

  private func after(_ seconds: Double) -> Timestamp { paired.adding(seconds: seconds) }

  private func visit(signedAt seconds: Double? = nil, nonce: String = "n") -> CompanionDoor.Visit {
    var message = SignedMessage(
      method: "GET", authority: "10.0.0.7:7878", path: "/companion/status")
    if let seconds {
      let signature = MessageSignature(
        message, covering: ["@method", "@authority", "@path"], keyId: id,
        created: Int(after(seconds).milliseconds / 1000), nonce: nonce
      ) { (try? key.signature(for: $0)).map(Array.init) }
      message.fields = signature?.fields ?? []
    }
    return CompanionDoor.Visit(
      message: message, body: [], peer: peer, local: local, isForThisHub: true)
  }

  /// The failure of a visit; nil if the device is let in.
  private func refusal(_ visit: CompanionDoor.Visit, at seconds: Double) -> FailureKind? {
    do throws(Failure) {
      _ = try door.device(visit, at: after(seconds))
      return nil
    } catch {
      return error.kind
    }
  }

  @Test func `a request is good once though the clock goes forward and back`() {
    let first = visit(signedAt: 10, nonce: "first")
    #expect(refusal(first, at: 10) == nil)
    #expect(refusal(first, at: 11) == .replayed)
    // An hour ahead, the nonce is forgotten.
    #expect(refusal(visit(signedAt: 3610, nonce: "ahead"), at: 3610) == nil)
    #expect(refusal(first, at: 12) == .replayed)
    #expect(refusal(visit(signedAt: 9, nonce: "withheld"), at: 13) == .replayed)
    // What is signed from then on is good.
    #expect(refusal(visit(signedAt: 14, nonce: "second"), at: 14) == nil)
    #expect(refusal(visit(signedAt: 3610, nonce: "ahead"), at: 3611) == .replayed)
    #expect(refusal(visit(signedAt: 14, nonce: "second"), at: 15) == .replayed)
  }

  @Test func `an unsigned device that was away for 30 days pairs again`() {
    #expect(refusal(visit(), at: 29 * 86_400) == nil)
    #expect(refusal(visit(), at: 58 * 86_400) == nil)
    #expect(refusal(visit(), at: 89 * 86_400) == .unsigned)
  }

  @Test func `a device that signs may stay away`() {
    #expect(refusal(visit(signedAt: 5), at: 5) == nil)
    #expect(refusal(visit(signedAt: 400 * 86_400), at: 400 * 86_400) == nil)
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
  }
}
