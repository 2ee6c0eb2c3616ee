import Core
import Foundation
import Tmux
import TestSupport
import Testing

struct TerminalListingTests {
  /// A line as tmux writes it.
  private func line(
    id: String = "$1", name: String = "agent", path: String = "/home/ann", status: String = "on",
    of total: String = "1", pathLength: Int? = nil
  ) -> String {
    let lengths = "\(id.utf8.count) \(name.utf8.count) \(pathLength ?? path.utf8.count)"
    return "agentpipes-session/1 2 1 1772013600 1772013660 200 50 \(total) \(status) @4 %7 "
      + "\(lengths) \(id)\(name)\(path)\n"
  }

  private func read(_ text: String) throws -> [ListedTerminal] {
    try TerminalListing.read(Array(text.utf8), host: "box", port: 2222, user: "ann")
  }

  @Test func `all that was asked is read`() throws {
    let listed = try read(line(name: "a b|é", path: "/x\ny"))
    let expected = TerminalSession(
      id: "$1", name: "a b|é", host: "box", port: 2222, user: "ann", windows: 2, attached: 1,
      createdAt: Timestamp(milliseconds: 1_772_013_600_000),
      activityAt: Timestamp(milliseconds: 1_772_013_660_000), path: "/x\ny", width: 200, height: 50)
    #expect(
      listed == [ListedTerminal(session: expected, statusLines: 1, window: "@4", pane: "%7")])
  }

  @Test(arguments: [("on", 1), ("off", 0), ("2", 2), ("5", 5), ("", 1)])
  func `the status takes its lines`(value: String, lines: Int) throws {
    #expect(try read(line(status: value)).map(\.statusLines) == [lines])
  }

  @Test func `what a login shell prints before is passed over`() throws {
    for noise in ["Welcome\n", "Welcome", "agentpipes-sess", "$1 agent\n\u{1B}[31m\n"] {
      #expect(try read(noise + line()).count == 1)
    }
    #expect(try read("Welcome\n").isEmpty)
  }

  @Test(arguments: ["bye\n", "\n", "agentpipes-session", "\0"])
  func `what comes after is refused`(rest: String) {
    #expect(throws: Failure.self) { try read(line() + rest) }
  }

  @Test func `an answer that is cut is refused wherever the cut is`() throws {
    let text = line(name: "a", path: "/p\nq", of: "2") + line(id: "$2", name: "b", of: "2")
    #expect(try read(text).count == 2)
    let marker = "agentpipes-session/1 ".utf8.count
    for count in marker..<text.utf8.count {
      let cut = Array(text.utf8.prefix(count))
      #expect(throws: Failure.self, "after \(count) bytes") {
        try TerminalListing.read(cut, host: "box")
      }
    }
  }

  @Test func `a path that was printed longer than it was counted is read`() throws {
    // As tmux 3.5 prints a path with an escape character in it.
    let odd = line(name: "a", path: "/x\\033y\n", of: "2", pathLength: 5)
    let listed = try read(odd + line(id: "$2", name: "b", of: "2"))
    #expect(listed.map(\.session.path) == ["/x\\033y\n", "/home/ann"])
  }

  @Test(arguments: [
    "99999999999999999999", "9223372036854775807", "-1", "1e3", "+5 ", "00000000000000000000000001",
  ])
  func `an impossible length is refused`(length: String) {
    let text = line().replacing(" 2 5 9 ", with: " 2 5 \(length) ")
    #expect(text != line())
    #expect(throws: Failure.self) { try read(text) }
  }

  @Test(arguments: [("$1", "x1"), ("$1", "$"), ("@4", "4"), ("%7", "%7a"), ("$1agent", "1$agent")])
  func `what is no id is refused`(of: String, wrong: String) {
    #expect(throws: Failure.self) { try read(line().replacing(of, with: wrong)) }
  }

  @Test func `no more sessions are read than there can be`() throws {
    let many = (0..<TerminalListing.maximumSessions).map {
      line(id: "$\($0)", name: "s\($0)", of: "10000")
    }
    #expect(try read(many.joined()).count == 10_000)
    #expect(throws: Failure.self) { try read(many.joined() + line()) }
    let long = [UInt8](repeating: 0x20, count: TerminalListing.maximumBytes + 1)
    #expect(throws: Failure.self) { try TerminalListing.read(long, host: "box") }
  }

  @Test func `no bytes do harm`() {
    var random = SeededRandom(seed: 5)
    let whole = Array((line(name: "é", of: "2") + line(id: "$2", of: "2")).utf8)
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0...Int.random(in: 0..<6, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: at)
        default: bytes.insert(UInt8.random(in: 0x30...0x39, using: &random), at: at)
        }
      }
      do throws(Failure) {
        let listed = try TerminalListing.read(bytes, host: "box")
        #expect(listed.allSatisfy { TerminalListing.isID($0.session.id, "$") })
      } catch {
        #expect(error.code == .invalidResponse)
      }
    }
  }

  @Test func `tmux itself is read, whatever its sessions are called and wherever they began`()
    throws
  {
    let server = try TmuxServer()
    let names = ["plain", "a b\tc", "x;$(id)", "=a", "é😀", "a'b\"c", "{last}", "%1 @2", "!", "~"]
    let folder = server.home.path + "/a \"b\"|\tc\nagentpipes-session/1 d\u{1}"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in names {
      try server.tmux(
        "new-session", "-d", "-s", name, "-c", folder, "-x", "91", "-y", "31", "sleep 1000")
    }
    try server.tmux("set-option", "-t", "=plain:", "status", "3")
    let answer = try server.run(.list())
    let listed = try answer.sessions(host: "box", port: 22, user: "ann")
    #expect(try listed.map(\.session.name) == server.names())
    #expect(Set(listed.map(\.session.path)) == [folder])
    #expect(listed.allSatisfy { $0.session.width == 91 && $0.session.height == 31 })
    #expect(listed.filter { $0.statusLines == 3 }.map(\.session.name) == ["plain"])
    for one in listed {
      let wanted = "#{session_id} #{window_id} #{pane_id}"
      let told = try server.tmux("display-message", "-p", "-t", one.session.id + ":", wanted)
      #expect(told == "\(one.session.id) \(one.window) \(one.pane)")
    }
  }

  @Test func `without a server there are no sessions`() throws {
    let server = try TmuxServer()
    #expect(try server.run(.list()).sessions(host: "box").isEmpty)
    try server.make("a")
    try server.tmux("kill-server")
    #expect(try server.run(.list()).sessions(host: "box").isEmpty)
  }
}
