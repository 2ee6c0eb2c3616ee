import HTTP
import Testing

struct AddressKindTests {
  private func kind(_ text: String) throws -> AddressKind? {
    AddressKind(of: try #require(SocketAddress(text: text, port: 0)).bytes)
  }

  @Test(arguments: [
    ("127.0.0.1", AddressKind.loopback), ("127.255.255.254", .loopback), ("::1", .loopback),
    ("::ffff:127.0.0.1", .loopback), ("10.0.0.1", .privateUse), ("172.16.0.1", .privateUse),
    ("172.31.255.255", .privateUse), ("192.168.1.1", .privateUse), ("fd00::1", .privateUse),
    ("::ffff:10.0.0.1", .privateUse), ("100.64.0.1", .shared), ("100.127.255.255", .shared),
    ("169.254.169.254", .linkLocal), ("fe80::1", .linkLocal), ("fec0::1", .siteLocal),
    ("64:ff9b:1::a00:1", .translated), ("192.0.2.1", .documentation), ("0.0.0.0", .thisNetwork),
  ])
  func `an address is of its range's kind`(text: String, expected: AddressKind) throws {
    #expect(try kind(text) == expected)
  }

  @Test(arguments: [
    "8.8.8.8", "172.32.0.1", "100.128.0.1", "168.63.129.16", "2606:4700::1111", "64:ff9b::a00:1",
    "::ffff:8.8.8.8",
  ])
  func `a public address has no kind, whatever it leads to`(text: String) throws {
    #expect(try kind(text) == nil)
  }

  @Test func `a number of bytes that no family has has no kind`() {
    #expect(AddressKind(of: []) == nil)
    #expect(AddressKind(of: [127, 0, 0]) == nil)
  }

  @Test(arguments: [
    ("localhost", true), ("LOCALHOST", true), ("127.0.0.1", true), ("127.9.9.9", true),
    ("127.1", true), ("::1", true), ("[::1]", true), ("[::ffff:127.0.0.1]", true), ("", false),
    ("localhost.evil", false), ("127.0.0.1.evil", false), ("127.evil", false), ("10.0.0.1", false),
    ("[::2]", false), ("build", false),
  ])
  func `a host is loopback by its text`(host: String, isLoopback: Bool) {
    #expect(HostName.isLoopback(host) == isLoopback)
  }
}
