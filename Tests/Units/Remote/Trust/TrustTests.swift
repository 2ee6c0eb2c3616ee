import Core
import Foundation
import TestSupport
import Testing

@testable import Remote

/// The shapes of known_hosts in which libssh 0.10.6 fails open, and others like them: the host has
/// key A.
struct TrustTests {
  static let a = Keys.a.text
  static let b = Keys.b.text
  /// The host, hashed with the salt 1, 2 to 20.
  static let hashed = "|1|AQIDBAUGBwgJCgsMDQ4PEBESExQ=|wV/oLUH5GpQ99WWEkEIFxn1Ltb0="
  static let others = Keys.unknown.text

  /// A file's text, and the verdict with the lines that it rests on.
  static let rows: [(String, String)] = [
    ("", "unknown"),
    ("box.example \(a)\n", "trusted 1"),
    ("box.example \(b)\n", "changed 1"),
    ("\(hashed) \(b)\n", "changed 1"),
    ("\(hashed) \(a)\n", "trusted 1"),
    ("box.example \(others)\nbox.example \(b)\n", "changed 1 2"),
    ("box.example \(b)\nbox.example \(others)\n", "changed 1 2"),
    ("box.example \(others)\n", "changed 1"),
    ("box.example \(others)\nbox.example \(a)\n", "trusted 2"),
    ("box.example ssh-ed25519 AAAA*\nbox.example \(b)\n", "unreadable 1"),
    ("box.example ssh-ed25519 AAAA*\n", "unreadable 1"),
    ("other ssh-ed25519 AAAA*\n", "unknown"),
    (String(repeating: "x", count: 9000) + " \(b)\nbox.example \(b)\n", "changed 2"),
    ("box.example \(b)\r\n", "changed 1"),
    ("box.example \(a)\r\n", "trusted 1"),
    ("box.example\t\(b.replacing(" ", with: "\t"))\n", "changed 1"),
    ("\t box.example\t \(a.replacing(" ", with: "\t\t"))\tcomment\n", "trusted 1"),
    ("@revoked box.example \(a)\n", "revoked 1"),
    ("box.example \(a)\n@revoked box.example \(a)\n", "revoked 2"),
    ("@revoked\tbox.example \(a)\n", "revoked 1"),
    ("@revoked * \(a)\n", "revoked 1"),
    ("@revoked box.example \(b)\n", "unknown"),
    ("@revoked box.example ssh-ed25519 AAAA\n", "unreadable 1"),
    ("@cert-authority box.example \(a)\n", "unknown"),
    ("@cert-authority @revoked box.example \(a)\n", "unreadable 1"),
    ("@trusted box.example \(a)\n", "unreadable 1"),
    ("!box.example,* \(b)\n", "unknown"),
    ("*,!box.example \(b)\n", "unknown"),
    ("!other,*.example \(b)\n", "changed 1"),
    ("b?x.* \(a)\n", "trusted 1"),
    ("one,BOX.example,two \(a)\n", "trusted 1"),
    ("box.example \(a)", "trusted 1"),
    ("other \(a)\nbox.example \(b)", "changed 2"),
    ("# box.example \(b)\n\n  # x\nbox.example \(a)\n", "trusted 4"),
    ("box.example\n", "unreadable 1"),
    ("box.example ssh-ed25519\n", "unreadable 1"),
    ("box.example ecdsa-sha2-nistp256 \(Keys.a.base64)\n", "unreadable 1"),
    ("box.example 1024 35 1234567890\n", "unreadable 1"),
    ("box.example\u{0} \(a)\n", "unreadable 1"),
    ("box.example \(a) com\u{0}ment\n", "unreadable 1"),
    ("\u{FEFF}box.example \(a)\n", "unreadable 1"),
    ("[box.example]:22 \(b)\n", "unknown"),
    ("|1|AAAA|AAAA \(b)\n|2|x|y \(b)\n", "unknown"),
    ("box.example,\(String(repeating: "x", count: 1023)) \(a)\n", "unreadable 1"),
  ]

  @Test func `each shape has its verdict`() throws {
    for (text, expected) in Self.rows {
      #expect(try verdict(text) == expected, "\(text.debugDescription.prefix(200))")
    }
  }

  @Test(arguments: [
    ("[box.example]:2222 \(a)\n", "trusted 1"),
    ("[box.example]:2222 \(b)\n", "changed 1"),
    ("[box.example]:2222 \(b)\nbox.example \(a)\n", "changed 1"),
    ("box.example \(a)\n", "trusted 1"),
    ("box.example \(b)\n", "unknown"),
    ("@revoked box.example \(a)\n", "revoked 1"),
    ("[*]:2222 \(a)\n", "trusted 1"),
    ("*.example \(b)\n", "unknown"),
    ("|1|AQIDBAUGBwgJCgsMDQ4PEBESExQ=|t7I7onlOEvi1KeWK7bksaLT5lr8= \(b)\n", "changed 1"),
  ])
  func `a host on another port has a name of its own`(_ text: String, _ expected: String) throws {
    #expect(try verdict(text, HostIdentity(host: "Box.Example", port: 2222)) == expected)
  }

  @Test func `an alias takes the place of host and port`() throws {
    let host = HostIdentity(host: "10.0.0.1", port: 2222, alias: "Box.Example")
    #expect(host.name == "box.example")
    #expect(try verdict("box.example \(Self.a)\n", host) == "trusted 1")
    #expect(try verdict("[10.0.0.1]:2222 \(Self.b)\n", host) == "unknown")
  }

  @Test func `a number is the same however many zeros stand before it`() throws {
    let padded = Keys.rsa(3, zeros: 4)
    let host = HostIdentity(host: "box.example")
    #expect(padded == Keys.rsa(3) && padded.blob != Keys.rsa(3).blob)
    #expect(Keys.rsa(3, zeros: 0) != Keys.rsa(3))
    #expect(try verdict("@revoked * \(padded.text)\n", host, Keys.rsa(3)) == "revoked 1")
    let renamed = "@revoked * rsa-sha2-512 \(padded.base64)\n"
    #expect(try verdict(renamed, host, Keys.rsa(3)) == "revoked 1")
  }

  @Test func `a certificate is never trusted, and a revoked one not passed over`() throws {
    let certificate = Keys.make(
      "ssh-ed25519-cert-v01@openssh.com", [[1], Array(Keys.a.blob.suffix(32))])
    #expect(try verdict("@revoked box.example \(certificate.text)\n") == "unreadable 1")
    let line = "box.example \(certificate.text)\n"
    #expect(try verdict(line) == "changed 1")
    #expect(try verdict(line, HostIdentity(host: "box.example"), certificate) == "changed 1")
    #expect(try verdict(line, HostIdentity(host: "box.example", port: 2), certificate) == "unknown")
  }

  @Test(arguments: [
    ("box.example \(a)\n", "", "trusted own:1"),
    ("box.example \(b)\n", "box.example \(a)\n", "changed own:1"),
    ("box.example \(a)\n", "box.example \(b)\n", "trusted own:1"),
    ("", "box.example \(a)\n", "trusted user:1"),
    ("", "box.example \(b)\n", "changed user:1"),
    ("other \(a)\n", "box.example \(b)\n", "changed user:1"),
    ("box.example \(a)\n", "@revoked * \(a)\n", "revoked user:1"),
    ("box.example \(a)\n", "box.example ssh-ed25519 AAA\n", "unreadable user:1"),
  ])
  func `our own store decides for the hosts that it knows`(
    _ own: String, _ user: String, _ expected: String
  ) throws {
    let home = try Home()
    let store = TrustStore(path: try home.file("own", own))
    let files = KnownHosts(
      store: store, others: [try home.file("user", user), home.path + "/missing", "/dev/null"])
    let verdict = try files.record(of: HostIdentity(host: "box.example")).verdict(on: Keys.a)
    #expect(Self.text(verdict, inFolder: home.path + "/") == expected)
  }

  @Test func `the recorded types are asked for first`() throws {
    let home = try Home()
    let own = try home.file("own", "other \(Self.a)\n@revoked * \(Self.a)\n")
    let user = try home.file(
      "user",
      [Keys.rsa(1), Keys.ecdsa(1), Keys.rsa(2), Keys.unknown].map { "box.example \($0.text)\n" }
        .joined())
    let files = KnownHosts(store: TrustStore(path: own), others: [user])
    #expect(
      try files.record(of: HostIdentity(host: "box.example")).algorithms == [
        "rsa-sha2-512", "rsa-sha2-256", "ecdsa-sha2-nistp256", "ssh-mldsa65",
      ])
    #expect(
      try files.record(of: HostIdentity(host: "other")).algorithms == ["ssh-ed25519"])
    #expect(try files.record(of: HostIdentity(host: "none")).algorithms == [])
  }

  @Test func `a failure names both keys, the place and what to do`() throws {
    let host = HostIdentity(host: "box.example", port: 2222)
    let text = "[box.example]:2222 \(Keys.b.text)\n[box.example]:2222 \(Keys.rsa(1).text)\n"
    let failure = try record(text, host).verdict(on: Keys.a).failure(host: host, offered: Keys.a)
    #expect(failure?.code == .sshHostKeyMismatch)
    #expect(failure?.kind == "changed")
    #expect(failure?.input == "f:1")
    #expect(
      failure?.explanation
        == "the key of '[box.example]:2222' has changed: it is "
        + "\(Keys.a.fingerprint) (ssh-ed25519), but recorded is "
        + "\(Keys.b.fingerprint) (ssh-ed25519) in f:1, \(Keys.rsa(1).fingerprint) (ssh-rsa) in f:2")
    #expect(failure?.code.action.contains("tmux-attach trust HOST --reset") == true)
    let revoked = try record("@revoked * \(Keys.a.text)", host).verdict(on: Keys.a)
    #expect(
      revoked.failure(host: host, offered: Keys.a)?.explanation
        == "the key of '[box.example]:2222' is revoked in f:1: "
        + "\(Keys.a.fingerprint) (ssh-ed25519)")
    let unreadable = try record("* x", host).verdict(on: Keys.a)
    #expect(unreadable.failure(host: host, offered: Keys.a)?.kind == "unreadableEntry")
    #expect(TrustVerdict.unknown.failure(host: host, offered: Keys.a) == nil)
  }

  @Test func `bytes of any kind give a verdict`() throws {
    var random = SeededRandom(seed: 1)
    let host = HostIdentity(host: "box.example", port: 2222)
    let pieces = Self.rows.map { Array($0.0.utf8) }
    var known: Set<String> = []
    for _ in 0..<600 {
      var bytes = random.one(of: pieces, else: []) + random.one(of: pieces, else: [])
      for _ in 0..<Int.random(in: 0...4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      if random.chance(4) { bytes = bytes.map { _ in UInt8.random(in: 0...255, using: &random) } }
      let file = KnownHostsFile(path: "f", bytes: bytes)
      let record = HostRecord(sources: [try KnownHosts.source(file, host)])
      known.insert(Self.text(record.verdict(on: Keys.a)).prefix { $0 != " " }.description)
      _ = HostKey(blob: bytes)
      _ = HostKey(base64: bytes)
    }
    #expect(known.isSuperset(of: ["unknown", "trusted", "revoked", "unreadable"]))
  }

  private func record(_ text: String, _ host: HostIdentity) throws -> HostRecord {
    let file = KnownHostsFile(path: "f", bytes: Array(text.utf8))
    return HostRecord(sources: [try KnownHosts.source(file, host)])
  }

  private func verdict(
    _ text: String, _ host: HostIdentity = HostIdentity(host: "BOX.example"),
    _ key: HostKey = Keys.a
  ) throws -> String {
    Self.text(try record(text, host).verdict(on: key), inFolder: "f:")
  }

  private static func text(_ verdict: TrustVerdict, inFolder folder: String = "") -> String {
    let (word, places): (String, [FilePlace]) =
      switch verdict {
      case .trusted(let place): ("trusted", [place])
      case .changed(let recorded): ("changed", recorded.map(\.place))
      case .revoked(let place): ("revoked", [place])
      case .unreadable(let place, _): ("unreadable", [place])
      case .unknown: ("unknown", [])
      }
    return ([word] + places.map { $0.description.replacing(folder, with: "") })
      .joined(separator: " ")
  }
}
