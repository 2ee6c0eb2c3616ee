import Core
import Foundation
import Remote
import TestSupport
import Testing

/// What is read from a user's ssh configuration, seen by the ways it leads to.
struct SSHConfigTests {
  let home: Home
  let user: LocalUser

  init() throws {
    home = try Home()
    try Directories.make(home.path + "/.ssh/more")
    user = LocalUser(home: home.path, name: "me", environment: ["KEYS": "/keys"])
  }

  private func config(_ text: String) throws -> SSHConfig {
    try SSHConfig(path: home.file(".ssh/config", text), user)
  }

  /// Each host on the way: who, where, under which name; then the files of keys.
  private func route(
    _ text: String, to destination: String, jump: [String]? = nil, keys: [String] = []
  ) throws -> String {
    let route = try Route(
      to: Destination(destination), config(text), user, identityFiles: keys,
      jump: jump?.map { try Destination($0) })
    return route.hops.map { hop in
      var words = ["\(hop.user ?? "-")@\(hop.host):\(hop.port)", hop.identity.name]
      words += hop.identityFiles
      if let files = hop.knownHostsFiles { words.append("known:\(files)") }
      return words.joined(separator: " ").replacing(home.path, with: "HOME")
    }.joined(separator: "\n")
  }

  private func failure(_ text: String, to destination: String = "box") -> Failure? {
    #expect(throws: Failure.self) { try route(text, to: destination) }
  }

  @Test(arguments: [
    ("", "-@box:22 box"),
    (
      "Host box\n HostName box.example\n User build\n Port 2222",
      "build@box.example:2222 [box.example]:2222"
    ),
    (
      "HOST box\r\n\thostname=box.example\r\n\tport = 2222\r\n",
      "-@box.example:2222 [box.example]:2222"
    ),
    ("Host *\n User one\nHost box\n User two\n", "one@box:22 box"),
    ("User one\nHost box\n User two\n", "one@box:22 box"),
    ("Host b?? !bax\n User one\n", "one@box:22 box"),
    ("Host * !box\n User one\nHost other\n User two\n", "-@box:22 box"),
    ("Host !other\n User one\n", "-@box:22 box"),
    ("Host BOX\n User one\n", "-@box:22 box"),
    ("Host other box # and a comment\n User \"one\" # x\n", "one@box:22 box"),
    ("Host box\n HostName %h.example.com\n", "-@box.example.com:22 box.example.com"),
    ("Host box\n HostName 10.0.0.7\n HostKeyAlias The-Box\n Port 99\n", "-@10.0.0.7:99 the-box"),
    ("Host box\n HostName ::1\n Port 99", "-@::1:99 [::1]:99"),
    ("Match all\n User one\n", "one@box:22 box"),
    ("Match host box\n User one\nHost *\n Port 7\n", "one@box:7 [box]:7"),
    ("Match exec \"touch /tmp/x\"\n User one\nMatch all\n Port 7\n", "-@box:7 [box]:7"),
    ("ForwardAgent yes\nSendEnv \"LANG\nNonsense\nHost box\n User one\n", "one@box:22 box"),
    (
      "IdentityFile ~/.ssh/a\nHost box\n User build\n HostName h\n"
        + "IdentityFile \"%d/b c/%r@%h-%u-%%\"\nIdentityFile ${KEYS}/d\nIdentityFile ~/.ssh/a\n",
      "build@h:22 h HOME/.ssh/a HOME/b c/build@h-me-% /keys/d"
    ),
    ("IdentityFile none\n", "-@box:22 box"),
    (
      "UserKnownHostsFile ~/k1 /k2\nUserKnownHostsFile /k3\n",
      "-@box:22 box known:[\"HOME/k1\", \"/k2\"]"
    ),
    ("UserKnownHostsFile /%n.%k.%p", "-@box:22 box known:[\"/box.box.22\"]"),
    ("UserKnownHostsFile none\n", "-@box:22 box known:[]"),
  ])
  func `what is said of a host is found`(_ text: String, _ expected: String) throws {
    #expect(try route(text, to: "box") == expected)
  }

  @Test func `the destination wins, and given keys come first`() throws {
    let text = "User one\nPort 7\nIdentityFile /a\n"
    #expect(try route(text, to: "two@box:8", keys: ["/b"]) == "two@box:8 [box]:8 /b /a")
  }

  @Test func `included files stand where they are included`() throws {
    _ = try home.file(".ssh/more/1.conf", "User first\nHost other\n Port 9\n")
    _ = try home.file(".ssh/more/2.conf", "Host box\n Port 8\n")
    _ = try home.file(".ssh/more/.hidden.conf", "Port 1\n")
    let text = "Include more/*.conf missing/* ~/.ssh/none\nPort 7\n"
    #expect(try route(text, to: "box") == "first@box:8 [box]:8")
    #expect(try route(text, to: "other") == "first@other:9 [other]:9")
    // Under a host, what is included is for that host alone, and the block goes on after it.
    let under = "Host box\n Include \(home.path)/.ssh/more/*.conf\n HostName b.example\n"
    #expect(try route(under, to: "box") == "first@b.example:8 [b.example]:8")
    #expect(try route(under, to: "other") == "-@other:22 other")
  }

  @Test func `files that include each other end`() throws {
    let again = failure("Include config\n")
    #expect(again?.code == .badConfiguration)
    #expect(again?.input?.hasSuffix("/.ssh/config:1") == true)
    for number in 0..<300 { _ = try home.file(".ssh/more/\(number)", "") }
    #expect(failure("Include more/*\n")?.code == .badConfiguration)
  }

  @Test(arguments: [
    "Port 0", "Port 65536", "Port x", "Port", "Port ''", "Host other\n Port x", "User -x",
    "User \"a -b\"", "Match user", "Match all host box", "Match host box user=", "Host \"x",
    "HostName \"x", "ProxyJump a,,b", "ProxyJump -x", "ProxyJump a:x",
    "HostKeyAlias a,b", "HostName -x", "HostName %x", "HostName a/b", "IdentityFile %z",
    "IdentityFile ~root/x", "IdentityFile ${NONE}/x", "IdentityFile ${x",
    "IdentitiesOnly maybe", "IdentityAgent ~root/x", "Include ~root/x", "Host",
  ])
  func `a line that is wrong is named`(_ line: String) {
    let failure = failure("# first\n\(line)\n")
    let number = line.hasPrefix("Host other") ? 3 : 2
    #expect(failure?.code == .badConfiguration)
    #expect(failure?.input == "\(home.path)/.ssh/config:\(number)")
    #expect(failure?.explanation.hasPrefix("\(home.path)/.ssh/config:\(number): ") == true)
  }

  @Test(arguments: [0o620, 0o602, 0o666])
  func `a file that others may write is refused`(_ mode: Int) throws {
    let path = try home.file(".ssh/config", "User one\n", mode: mode)
    let failure = #expect(throws: Failure.self) { try SSHConfig(path: path, user) }
    #expect(failure?.code == .permissionDenied)
    try home.setMode(path, 0o644)
    #expect(throws: Never.self) { try SSHConfig(path: path, user) }
    #expect(throws: Never.self) { try SSHConfig(path: path + "/missing", user) }
  }

  @Test func `a named pipe is not waited for`() throws {
    let path = home.path + "/.ssh/config"
    #expect(mkfifo(path, 0o600) == 0)
    let failure = #expect(throws: Failure.self) { try SSHConfig(path: path, user) }
    #expect(failure?.code == .storageFailed)
  }

  @Test func `what is not followed is told`() throws {
    let config = try config(
      "Match host box exec true\n User x\nHost box\n ProxyCommand nc %h %p\nMatch all\n")
    let path = home.path + "/.ssh/config"
    #expect(config.leftOut.map(\.description) == ["\(path):1"])
    let route = try Route(to: Destination("box"), config, user)
    #expect(route.leftOut.map(\.description) == ["\(path):1", "\(path):4"])
    let other = try Route(to: Destination("other"), config, user)
    #expect(other.leftOut.map(\.description) == ["\(path):1"])
  }

  @Test(arguments: [
    ("Host box\n ProxyJump hop", "-@hop:22 hop\n-@box:22 box"),
    ("Host box\n ProxyJump none\nHost *\n ProxyJump hop", "-@box:22 box"),
    ("Host box\n ProxyCommand none\nHost *\n ProxyJump hop", "-@box:22 box"),
    ("Host * !hop\n ProxyJump hop", "-@hop:22 hop\n-@box:22 box"),
    (
      "Host box\n ProxyJump a@one:7,ssh://two:8\nHost one\n User b\n HostName one.example\n"
        + "Host two\n User c\n ProxyJump never\n",
      "a@one.example:7 [one.example]:7\nc@two:8 [two]:8\n-@box:22 box"
    ),
    (
      "Host box\n ProxyJump one\nHost one\n ProxyJump two\nHost two\n HostKeyAlias t\n",
      "-@two:22 t\n-@one:22 one\n-@box:22 box"
    ),
  ])
  func `the way leads through other hosts`(_ text: String, _ expected: String) throws {
    #expect(try route(text, to: "box") == expected)
  }

  @Test func `hosts that are given take the place of the configuration's`() throws {
    let text = "Host box\n ProxyJump one\n"
    #expect(try route(text, to: "box", jump: ["x@two"]) == "x@two:22 two\n-@box:22 box")
    #expect(try route(text, to: "box", jump: []) == "-@box:22 box")
  }

  @Test(arguments: [
    "ProxyJump hop", "Host box\n ProxyJump box", "Host box\n ProxyJump a,b,a",
    "Host box\n ProxyJump one\nHost one\n ProxyJump box\n",
    "Host one\n HostName box\nHost box\n ProxyJump one\n",
    "Host box\n ProxyJump a,b,c,d,e,f,g,h\n",
  ])
  func `a way that does not end is refused`(_ text: String) {
    let failure = failure(text)
    #expect(failure?.code == .badConfiguration)
    #expect(failure?.kind == "jumpChain")
  }

  @Test func `a way that goes on and on is refused`() {
    let text = (0..<600).map { "Host \($0 == 0 ? "box" : "h\($0)")\nProxyJump h\($0 + 1)\n" }
    #expect(failure(text.joined())?.kind == "jumpChain")
  }

  @Test func `a NUL is no part of a value`() {
    #expect(failure("IdentityFile a\u{0}")?.code == .badConfiguration)
  }

  @Test func `given hosts that repeat are a wrong use`() {
    let failure = #expect(throws: Failure.self) { try route("", to: "box", jump: ["a", "a"]) }
    #expect(failure?.code == .badUsage)
  }

  @Test func `bytes of any kind are read or refused`() throws {
    var random = SeededRandom(seed: 3)
    let pieces = [
      "Host", "Match", "Include", "Port", "ProxyJump", "IdentityFile", " ", "\t", "\n", "\r\n", "=",
      "\"", "'", "\\", "#", "*", "!", "all", "box", "22", "%h", "~", "${", ",", "\u{0}", "é",
    ].map { Array($0.utf8) }
    for _ in 0..<300 {
      let count = Int.random(in: 0...60, using: &random)
      var bytes = (0..<count).flatMap { _ in random.one(of: pieces, else: []) }
      if random.chance(3), !bytes.isEmpty { bytes[bytes.count / 2] = 0xFF }
      let path = try home.file(".ssh/config", "")
      try Data(bytes).write(to: URL(filePath: path))
      try home.setMode(path, 0o600)
      let route = try? Route(
        to: Destination("box"), SSHConfig(path: path, user), user)
      #expect(route?.hops.last?.host.isEmpty != true)
    }
  }
}
