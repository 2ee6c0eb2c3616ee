import Core
import HTTP
import HubWords
import Keys
import Signing
import TestSupport
import Testing

@testable import CompanionClient

/// Where hosts are, and where HTTP in the clear may go.
struct HostAddressTests {
  @Test(arguments: [
    ("192.168.1.20:7878", "http://192.168.1.20:7878"), ("HTTPS://a.example/", "https://a.example"),
    ("http://[::1]:7878//", "http://[::1]:7878"), ("a.example/hub/", "http://a.example/hub"),
  ])
  func `a host's URL gets a scheme and loses its slash`(text: String, url: String) throws {
    #expect(try CompanionPeer.base(text) == url)
  }

  @Test(arguments: [
    "", "http://", "ftp://a", "http://me:secret@a", "http://a?key=secret", "http://a#secret",
    "{\"token\":\"secret\"}", "http://a b", "://a",
  ])
  func `what is no URL of a host is refused, and its secrets are not repeated`(text: String) {
    let failure = #expect(throws: Failure.self) { try CompanionPeer.base(text) }
    #expect(failure?.code == .badUsage)
    #expect("\(failure?.explanation ?? "") \(failure?.input ?? "")".contains("secret") == false)
  }

  @Test(arguments: [
    ("http://localhost:1", true), ("http://127.8.0.1", true), ("https://[::1]:7878", true),
    ("http://192.168.1.2", false), ("http://localhost.example", false), ("", false),
  ])
  func `loopback is this machine`(url: String, isHere: Bool) {
    #expect(HubReach.isHere(url) == isHere)
  }

  private static let near: [[UInt8]] = [
    [127, 0, 0, 1], [10, 1, 2, 3], [172, 16, 0, 1], [172, 31, 255, 255], [192, 168, 0, 1],
    [169, 254, 1, 1], [100, 64, 0, 1], [100, 127, 0, 1],
  ]
  private static let far: [[UInt8]] = [
    [8, 8, 8, 8], [172, 15, 0, 1], [172, 32, 0, 1], [192, 169, 0, 1], [100, 63, 0, 1],
    [100, 128, 0, 1], [169, 253, 0, 1],
  ]

  @Test func `HTTP in the clear goes to near addresses alone`() throws {
    let judge = try #require(LocalNetwork.guardian(of: "http://a.example", allowsHTTP: false))
    func refuses(_ bytes: [UInt8]) throws -> Bool {
      judge(try #require(SocketAddress(bytes: bytes, port: 80))) != nil
    }
    let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    for address in Self.near {
      #expect(try !refuses(address) && !refuses(mapped + address), "\(address)")
    }
    for address in Self.far {
      #expect(try refuses(address) && refuses(mapped + address), "\(address)")
    }
    let rest = [UInt8](repeating: 0, count: 13)
    for (start, isNear) in [(0xFE80, true), (0xFEBF, true), (0xFD00, true), (0x2001, false)] {
      let bytes = [UInt8(start >> 8), UInt8(start & 0xFF)] + rest + [7]
      #expect(try refuses(bytes) != isNear, "\(start)")
    }
  }

  @Test func `TLS, and a person who allows it, go anywhere`() {
    #expect(LocalNetwork.guardian(of: "https://a.example", allowsHTTP: false) == nil)
    #expect(LocalNetwork.guardian(of: "http://a.example", allowsHTTP: true) == nil)
  }

  @Test func `the operator's token stays on this machine`() throws {
    for bytes in [[127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1]] {
      #expect(LocalNetwork.ownMachine(try #require(SocketAddress(bytes: bytes, port: 1))) == nil)
    }
    for bytes: [UInt8] in [[8, 8, 8, 8], [UInt8](repeating: 0x20, count: 16)] {
      #expect(LocalNetwork.ownMachine(try #require(SocketAddress(bytes: bytes, port: 1))) != nil)
    }
  }

  @Test func `a host is found by its name, its URL, or as the only one`() throws {
    let home = try Home()
    let keys = KeyStore(directories: home.directories, environment: [:], command: nil)
    func book(_ configured: [String: String]) -> HostBook {
      HostBook(home.directories, keys: keys, configured: configured)
    }
    #expect(try book([:]).host(nil) == nil)
    let known = book(["desk": "http://10.0.0.1:7878/"])
    for word in [nil, "desk", "10.0.0.1:7878", "http://10.0.0.1:7878"] {
      #expect(try known.host(word)?.name == "desk")
    }
    #expect(try known.host("https://b.example:1/x")?.name == "b.example:1")
    #expect(#expect(throws: Failure.self) { try known.host("shelf") }?.code == .notFound)
    #expect(#expect(throws: Failure.self) { try known.host("ftp://a") }?.code == .badUsage)
    let wrong = #expect(throws: Failure.self) { try book(["a": "ftp://a"]).hosts() }
    #expect(wrong?.code == .badConfiguration && wrong?.input == "hosts.a.url")
    #expect(#expect(throws: Failure.self) { try known.forget("desk") }?.code == .notFound)
  }

  @Test func `a QR code of a pairing is read`() throws {
    let text =
      #" {"protocol":"copilotforge-pair-v1","code":"012345","token":"t","expiresAt":"x","new":1}"#
    let payload = try PairingPayload(text: text + "\n")
    #expect(payload.code == "012345" && payload.token == "t" && payload.url == nil)
  }

  @Test(arguments: [
    ("https://a.example", FailureCode.badInput), ("{}", .protocolMismatch),
    (#"{"protocol":"copilotforge-pair-v2"}"#, .protocolMismatch),
    (#"{"protocol":"copilotforge-pair-v1"}"#, .badInput),
    (
      #"{"protocol":"copilotforge-pair-v1","code":"12345","token":"t","expiresAt":"x"}"#, .badInput
    ),
    (
      #"{"protocol":"copilotforge-pair-v1","code":"٠١٢٣٤٥","token":"t","expiresAt":"x"}"#,
      .badInput
    ),
  ])
  func `another QR code is refused`(text: String, code: FailureCode) {
    let failure = #expect(throws: Failure.self) { try PairingPayload(text: text) }
    #expect(failure?.code == code)
  }

  @Test func `random text is no QR code of a pairing`() {
    var random = SeededRandom(seed: 9)
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      #expect(throws: Failure.self) {
        try PairingPayload(text: String(decoding: bytes, as: UTF8.self))
      }
    }
  }
}
