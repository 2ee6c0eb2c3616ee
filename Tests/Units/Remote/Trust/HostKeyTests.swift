import Core
import Foundation
import TestSupport
import Testing

@testable import Remote

struct HostKeyTests {
  @Test func `the fingerprint is OpenSSH's`() {
    // Printed by ssh-keygen -l for this key.
    let text = "AAAAC3NzaC1lZDI1NTE5AAAAIAoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK"
    let key = HostKey(base64: text.utf8)
    #expect(key?.algorithm == "ssh-ed25519")
    #expect(key?.base64 == text)
    #expect(key == Keys.a)
    #expect(key?.fingerprint == "SHA256:8W6DXHLePE4WO7hq3P1VyFccEngRxfKkG8eJ7HOCtAU")
  }

  @Test func `a hashed name is OpenSSH's`() throws {
    // Written by ssh-keygen -H.
    let text = "|1|un/2Up9XuqTnDj52Epnjed0T57I=|UXibqr6Fvam//wqsU7Bx6IPeoPQ="
    #expect(try HashedName.matches(Array("box.example".utf8), Array(text.utf8)[...]))
    #expect(try !HashedName.matches(Array("box.exampl".utf8), Array(text.utf8)[...]))
  }

  @Test(arguments: [
    "", "A", "AAAA", "AAAAC3NzaC1lZDI1NTE5", "AAAAC3NzaC1lZDI1NTE5AAAAIAo", "AAAAB3NzaC1yc2E*",
    "AAAAC3NzaC1lZDI1NTE5AAAAIAoKCg==x",
  ])
  func `what is no key is none`(_ text: String) {
    #expect(HostKey(base64: text.utf8) == nil)
  }

  @Test func `white space in a key is skipped and loose bits are refused`() {
    let text = Keys.a.base64
    #expect(HostKey(base64: (text.prefix(9) + "\r\u{B}\u{C}" + text.dropFirst(9)).utf8) == Keys.a)
    // 33 bytes, so that padding comes with bits to spare.
    let padded = Keys.make("ssh-ed25519", [[UInt8](repeating: 1, count: 33)]).base64
    #expect(padded.hasSuffix("Q=="))
    #expect(HostKey(base64: padded.utf8) != nil)
    #expect(HostKey(base64: (padded.dropLast(3) + "R==").utf8) == nil)
    #expect(HostKey(base64: padded.dropLast(1).utf8) == nil)
  }

  @Test(arguments: [
    ("", "", true), ("", "*", true), ("a", "", false), ("abc", "a*c", true), ("abc", "a?c", true),
    ("abc", "a?", false), ("abc", "*?", true), ("", "?", false), ("aXbXc", "*X?", true),
    ("aXbXcd", "*X?", false), ("abab", "*ab", true), ("a*", "a\\*", false), ("abc", "***", true),
  ])
  func `patterns match whole names`(_ name: String, _ pattern: String, _ expected: Bool) {
    #expect(NamePattern.matches(Array(name.utf8), Array(pattern.utf8)) == expected)
  }

  @Test func `a pattern of many stars takes no longer than its length asks`() {
    let name = [UInt8](repeating: 0x61, count: 1000)
    let pattern = Array(String(repeating: "*a", count: 400).utf8) + [0x62]
    #expect(!NamePattern.matches(name, pattern))
  }
}
