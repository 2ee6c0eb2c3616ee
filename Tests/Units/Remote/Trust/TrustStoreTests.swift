import Core
import Foundation
import Remote
import Testing
import TestSupport

struct TrustStoreTests {
  let home: Home
  let path: String
  let store: TrustStore
  let host = HostIdentity(host: "box.example", port: 2222)

  init() throws {
    home = try Home()
    path = home.path + "/data/known_hosts"
    store = TrustStore(path: path)
  }

  private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func put(_ text: String) throws {
    try Directories.make(home.path + "/data")
    _ = try home.file("data/known_hosts", text)
  }

  @Test func `a first key makes the file, its owner's alone`() throws {
    #expect(try store.add(Keys.a, for: host))
    #expect(try text() == "[box.example]:2222 \(Keys.a.text)\n")
    #expect(try home.mode(path) == 0o600)
    #expect(try store.add(Keys.a, for: HostIdentity(host: "BOX.example", port: 2222)) == false)
    #expect(try text() == "[box.example]:2222 \(Keys.a.text)\n")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: home.path + "/data").sorted()
        == ["known_hosts", "known_hosts.lock"])
  }

  @Test func `other lines stay byte for byte, and a last one is ended first`() throws {
    let before = "# mine\r\n\n|1|x\u{1}|y\tz\nother \(Keys.b.text) x"
    try put(before)
    #expect(try store.add(Keys.a, for: HostIdentity(host: "one")))
    #expect(try text() == "\(before)\none \(Keys.a.text)\n")
  }

  @Test(arguments: [
    ("[box.example]:2222 \(Keys.b.text)\n", "changed"),
    ("@revoked * \(Keys.a.text)\n", "revoked"),
    ("[box.example]:2222 nonsense\n", "unreadableEntry"),
  ])
  func `nothing is added to what says otherwise`(_ before: String, _ kind: String) throws {
    try put(before)
    let failure = #expect(throws: Failure.self) { try store.add(Keys.a, for: host) }
    #expect(failure?.code == .sshHostKeyMismatch)
    #expect(failure?.kind?.rawValue == kind)
    #expect(failure?.input == "\(path):1")
    #expect(try text() == before)
  }

  @Test func `many first connections at once leave one entry`() async throws {
    let (store, host) = (store, host)
    let added = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<24 { group.addTask { try store.add(Keys.a, for: host) } }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(added == 1)
    #expect(try text() == "[box.example]:2222 \(Keys.a.text)\n")
  }

  @Test(arguments: [
    ("box \(Keys.a.text)\n", "", 1),
    ("one \(Keys.b.text)\nbox \(Keys.a.text)", "one \(Keys.b.text)\n", 1),
    ("box \(Keys.a.text)\r\n\none \(Keys.b.text)", "\none \(Keys.b.text)", 1),
    (" one,BOX,two\t\(Keys.a.text) x\r\n", " one,two\t\(Keys.a.text) x\r\n", 1),
    ("b* \(Keys.a.text)\n", "!box,b* \(Keys.a.text)\n", 1),
    ("box,b*,!bar \(Keys.a.text)\n", "!box,b*,!bar \(Keys.a.text)\n", 1),
    ("box,!bar \(Keys.a.text)\n", "", 1),
    ("!box,* \(Keys.a.text)\n", "!box,* \(Keys.a.text)\n", 0),
    ("@revoked box \(Keys.a.text)\n", "@revoked box \(Keys.a.text)\n", 0),
    ("box garbage\n# box\n", "# box\n", 1),
    ("[box]:22 \(Keys.a.text)\nbox.example \(Keys.a.text)\n", nil, 0),
    (
      "|1|AQIDBAUGBwgJCgsMDQ4PEBESExQ=|wrong= \(Keys.a.text)\n", nil, 0
    ),
  ])
  func `a reset forgets one host`(_ before: String, _ after: String?, _ count: Int) throws {
    try put(before)
    let host = HostIdentity(host: "box")
    #expect(try store.reset(host) == count)
    #expect(try text() == after ?? before)
    let verdict = try KnownHosts(store: store, others: []).record(of: host).verdict(on: Keys.b)
    #expect(verdict == .unknown)
  }

  @Test func `a hashed name is forgotten`() throws {
    let name = "|1|AQEBAQEBAQEBAQEBAQEBAQEBAQE=|n3QCvdzJLL4ETY/khhjuSpkpd/s="
    try put("\(name) \(Keys.a.text)\nb \(Keys.b.text)\n")
    #expect(try store.reset(HostIdentity(host: "Box")) == 1)
    #expect(try text() == "b \(Keys.b.text)\n")
  }

  @Test func `a reset records the new key in the same step`() throws {
    try put("[box.example]:2222,one \(Keys.a.text)\n@revoked * \(Keys.rsa(1).text)\n")
    #expect(try store.reset(host, trusting: Keys.b) == 1)
    #expect(
      try text()
        == "one \(Keys.a.text)\n@revoked * \(Keys.rsa(1).text)\n[box.example]:2222 \(Keys.b.text)\n"
    )
    let before = try text()
    let failure = #expect(throws: Failure.self) {
      try store.reset(host, trusting: Keys.rsa(1))
    }
    #expect(failure?.kind == "revoked")
    #expect(try text() == before)
  }

  @Test(arguments: ["a,b", "*", "!a", "@a", "|1|a", "a b", "#a", ""])
  func `a name that would be several or a pattern is not recorded`(_ name: String) {
    let failure = #expect(throws: Failure.self) {
      try store.add(Keys.a, for: HostIdentity(host: name))
    }
    #expect(failure?.code == .badUsage)
  }

  @Test func `a certificate is not recorded`() {
    let certificate = Keys.make("ssh-ed25519-cert-v01@openssh.com", [[1]])
    let failure = #expect(throws: Failure.self) { try store.add(certificate, for: host) }
    #expect(failure?.code == .invalidResponse)
  }

  @Test(arguments: [0o620, 0o602, 0o666])
  func `a store that others may write is not believed`(_ mode: Int) throws {
    try put("[box.example]:2222 \(Keys.a.text)\n")
    try home.setMode(path, mode)
    let failure = #expect(throws: Failure.self) {
      try KnownHosts(store: store, others: []).record(of: host)
    }
    #expect(failure?.code == .permissionDenied)
    #expect(failure?.kind == "unsafeMode")
  }

  @Test(arguments: ["folder", "pipe", "link", "large"])
  func `what is no file of trust refuses, as a store and beside it`(_ kind: String) throws {
    try Directories.make(home.path + "/data")
    switch kind {
    case "folder":
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
    default:
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
      try home.setMode(path, 0o600)
      #expect(truncate(path, 65 << 20) == 0)
    }
    let other = TrustStore(path: home.path + "/none")
    for files in [KnownHosts(store: store, others: []), KnownHosts(store: other, others: [path])] {
      let failure = #expect(throws: Failure.self) { try files.record(of: host) }
      #expect(failure?.code == .storageFailed)
      #expect(failure?.input == path)
    }
    #expect(throws: Failure.self) { try store.add(Keys.a, for: host) }
  }

  @Test func `a place that cannot be written says so`() throws {
    let file = try home.file("file", "")
    let store = TrustStore(path: file + "/known_hosts")
    let failure = #expect(throws: Failure.self) { try store.add(Keys.a, for: host) }
    #expect(failure?.code == .storageFailed)
  }

  @Test func `the files of OpenSSH are those that it reads`() {
    #expect(
      KnownHosts.ofOpenSSH(home: "/h", named: ["/x"])
        == ["/x", "/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"])
    #expect(KnownHosts.ofOpenSSH(home: "/h").first == "/h/.ssh/known_hosts")
  }
}
