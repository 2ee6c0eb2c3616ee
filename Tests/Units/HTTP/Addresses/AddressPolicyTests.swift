import HTTP
import Testing

struct AddressPolicyTests {
  private func refusal(_ text: String, allowPrivate: Bool = false) throws -> String? {
    let address = try #require(SocketAddress(text: text, port: 443))
    return AddressPolicy(allowPrivate: allowPrivate).refusal(address)
  }

  @Test(
    "IPv4 addresses that are not public are refused, and allowed when asked for",
    arguments: [
      "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255",
      "127.0.0.1", "127.255.255.254", "169.254.0.1", "172.16.0.1", "172.31.255.255", "192.0.0.1",
      "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9",
      "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    ])
  func privateIPv4(_ text: String) throws {
    #expect(try refusal(text) != nil)
    #expect(try refusal(text, allowPrivate: true) == nil)
  }

  @Test(
    "IPv6 addresses that are not public are refused, and allowed when asked for",
    arguments: [
      "::", "::1", "fc00::1", "fdff::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "100::1",
      "2001::1", "2001:db8::1", "3fff::1", "64:ff9b:1::808:808",
    ])
  func privateIPv6(_ text: String) throws {
    #expect(try refusal(text) != nil)
    #expect(try refusal(text, allowPrivate: true) == nil)
  }

  @Test(
    "an IPv4 address inside an IPv6 one is judged as itself",
    arguments: [
      "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "::10.0.0.1", "::ffff:0:192.168.0.1",
      "2002:7f00:1::", "2002:c0a8:101::1", "64:ff9b::7f00:1", "64:ff9b::a00:1",
      "2a00::5efe:10.0.0.1", "2a00::200:5efe:127.0.0.1",
    ])
  func embedded(_ text: String) throws {
    #expect(try refusal(text) != nil)
  }

  @Test(
    "public addresses are allowed, also inside IPv6",
    arguments: [
      "8.8.8.8", "1.1.1.1", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1",
      "126.255.255.255", "128.0.0.1", "172.15.255.255", "172.32.0.1", "192.167.255.255",
      "192.169.0.1", "198.17.255.255", "198.20.0.1", "223.255.255.255", "2606:4700::1111",
      "2a00:1450:4001::1", "::ffff:8.8.8.8", "2002:808:808::1", "64:ff9b::808:808",
    ])
  func publicAddresses(_ text: String) throws {
    #expect(try refusal(text) == nil)
  }

  @Test(
    "metadata services are refused even when private addresses are allowed",
    arguments: [
      "169.254.169.254", "169.254.170.2", "168.63.129.16", "100.100.100.200", "fd00:ec2::254",
      "fd20:ce::254", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::",
      "64:ff9b:1::a9fe:a9fe", "2001:0:0:0:0:0:5601:5601",
    ])
  func metadata(_ text: String) throws {
    #expect(try refusal(text, allowPrivate: true) != nil)
  }

  @Test func `a port of the fetch standard's list is refused at any address`() throws {
    let address = try #require(SocketAddress(text: "8.8.8.8", port: 25))
    #expect(AddressPolicy(allowPrivate: true).refusal(address) != nil)
  }
}
