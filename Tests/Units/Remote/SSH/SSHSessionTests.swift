import Testing

@testable import Remote

struct SSHSessionTests {
  @Test func isNewEnoughForStrictKeyExchange() {
    // 0.10.6 is the first with strict key exchange (CVE-2023-48795).
    let numbers = SSHSession.libraryVersion.prefix { $0 != "/" }.split(separator: ".").compactMap {
      Int($0)
    }
    #expect(numbers.lexicographicallyPrecedes([0, 10, 6]) == false)
  }
}
