import Core
import Foundation
import TestSupport
import Testing

@testable import Remote

/// What is said of hosts that cannot be reached.
struct UnreachableTests {
  private static func address(_ text: String) throws -> NetworkSocket.Address {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST
    var found: UnsafeMutablePointer<addrinfo>?
    try #require(getaddrinfo(text, "22", &hints, &found) == 0)
    defer { freeaddrinfo(found) }
    let first = try #require(found?.pointee)
    let bytes = UnsafeRawBufferPointer(start: first.ai_addr, count: Int(first.ai_addrlen))
    return NetworkSocket.Address(family: first.ai_family, bytes: Array(bytes))
  }

  @Test(arguments: [
    ("box", "100.64.0.1", true), ("box", "100.127.255.254", true), ("box", "100.63.255.255", false),
    ("box", "100.128.0.0", false), ("box", "10.64.0.1", false), ("box", "fd7a:115c:a1e0::1", true),
    ("box", "fd7a:115c:a1e1::1", false), ("Box.Tail1234.TS.net", "10.0.0.1", true),
  ])
  func `a tailnet's host that is not reached may need its VPN`(
    host: String, address: String, isIn: Bool
  ) throws {
    let addresses = [try Self.address(address)]
    let refused = NetworkSocket.unreachable("gone", kind: "connect", host, addresses)
    #expect(refused.kind == (isIn ? "tailnet" : "connect"))
    #expect((refused.nextStep == "check the VPN") == isIn)
    let late = NetworkSocket.late("'\(host)'", TimeLimit(seconds: 3), host: host, addresses)
    #expect(late.kind == (isIn ? "tailnet" : "timeout"))
    #expect(late.explanation.contains("within 3 seconds"))
  }
}
