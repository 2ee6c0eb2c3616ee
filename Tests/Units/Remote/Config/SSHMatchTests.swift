import Core
import Foundation
import Remote
import TestSupport
import Testing

/// Conditions in a user's ssh configuration, held against ssh(1).
struct SSHMatchTests {
  let home: Home
  let user: LocalUser

  init() throws {
    home = try Home()
    try Directories.make(home.path + "/.ssh/more")
    user = LocalUser(home: home.path, name: NSUserName())
  }

  /// Configurations with conditions, each with a destination.
  private static let conditional: [(text: String, destination: String)] = [
    ("Host box\n HostName 127.0.0.1\nMatch final host 127.0.0.1\n Port 18\n", "box"),
    ("Match host 127.0.0.*\n Port 18\nHost box\n HostName 127.0.0.1\n", "box"),
    ("Host box\n HostName 127.0.0.1\nMatch host 127.0.0.*\n Port 18\n", "box"),
    ("Host box\n HostName 127.0.0.1\n User eve\nMatch user eve\n Port 18\n", "box"),
    ("Match user eve\n User bob\n Port 18\n", "eve@box"),
    ("Match !user ME\n Port 18\nMatch localuser ME\n User two\n", "box"),
    ("Match !host other,*.b\n HostName 127.0.0.1\n Port 18\n", "box"),
    ("Match !host other,*.b\n HostName 127.0.0.1\n Port 18\n", "x.b"),
    ("Match originalhost box\n Port 18\n HostName 127.0.0.1\n", "box"),
    ("Match Host BOX\n Port 18\n", "Box"), ("Match !all\n Port 18\n", "box"),
    ("Match final\n Port 5\nHost *.example\n User two\nHost box\n HostName a.example\n", "box"),
    ("Match final\n User x\nMatch canonical\n Port 5\n", "box"),
    ("Match canonical\n Port 5\n", "box"),
    ("Match !final\n Port 7\nMatch final\n Port 8\n", "box"),
    ("Match host=box\n Port 7\n", "box"), ("Match host = box user=eve\n Port 7\n", "eve@box"),
    ("Match host !box,*\n Port 7\n", "box"), ("Match host box # x\n Port 7\n", "box"),
    ("User \"a b\"\nMatch user \"a b\"\n Port 7\n", "box"),
    ("HostName %h.x\nMatch host box.x\n Port 7\n", "box"),
    (
      "Match final\nHost *.Example\n Port 7\nHost *.example\n Port 8\nHost box\n"
        + " HostName A.Example\n", "box"
    ),
    ("Host other\nMatch final\n Port 3\nHost *.x\n Port 9\nHost box\n HostName b.x\n", "box"),
    ("Match user *,!eve\n Port 7\n", "eve@box"),
    ("Host box\n Port 2222\n User \"build user\"\nMatch originalhost box\n Port 1\n", "box"),
    ("Match user ME\n User eve\n Port 7\nMatch user eve\n HostName c\n", "box"),
  ]

  /// Returns the user, the name and the port that ssh(1) would use.
  private func ofSSH(_ path: String, _ destination: String) throws -> String {
    let ssh = Process()
    let output = Pipe()
    ssh.executableURL = URL(filePath: "/usr/bin/ssh")
    ssh.arguments = ["-G", "-F", path, destination]
    (ssh.standardOutput, ssh.standardError) = (output, FileHandle.nullDevice)
    try ssh.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    ssh.waitUntilExit()
    var values: [Substring: Substring] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      if parts.count == 2, values[parts[0]] == nil { values[parts[0]] = parts[1] }
    }
    return "\(values["user"] ?? "?")@\(values["hostname"] ?? "?"):\(values["port"] ?? "?")"
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ssh")))
  func `conditions hold where they hold for ssh`() throws {
    for (text, destination) in Self.conditional {
      let path = try home.file(".ssh/config", text.replacing("ME", with: user.name))
      let config = try SSHConfig(path: path, user)
      let hop = try #require(try Route(to: Destination(destination), config, user).hops.last)
      let found = "\(hop.user ?? user.name)@\(hop.host):\(hop.port)"
      #expect(try found.lowercased() == ofSSH(path, destination).lowercased(), "\(text)")
      #expect(config.leftOut.isEmpty, "\(text)")
    }
  }

  @Test func `a file that is included twice has its conditions twice`() throws {
    _ = try home.file(".ssh/more/1.conf", "Match user eve\n Port 8\n")
    let path = try home.file(
      ".ssh/config",
      "Include more/1.conf\nHost box\n User eve\nMatch all\nInclude more/1.conf\n")
    let hops = try Route(to: Destination("box"), SSHConfig(path: path, user), user).hops
    #expect(hops.map(\.port) == [8] && hops.map(\.user) == ["eve"])
  }

  @Test func `a condition that needs a command never holds, and its line is named`() throws {
    let path = try home.file(
      ".ssh/config",
      "Match originalhost box exec \"touch \(home.path)/ran\"\n Port 9\nMatch tagged x\n User y\n")
    let config = try SSHConfig(path: path, user)
    #expect(config.leftOut.map(\.line) == [1, 3])
    #expect(try Route(to: Destination("box"), config, user).hops.map(\.port) == [22])
    #expect(!FileManager.default.fileExists(atPath: home.path + "/ran"))
  }
}
