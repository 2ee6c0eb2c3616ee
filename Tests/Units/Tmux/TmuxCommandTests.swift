import Core
import Foundation
import Tmux
import TestSupport
import Testing

struct TmuxCommandTests {
  static let names = [
    "x;$(id)", "x;", "=a", "é😀", "a'b\"c", "{last}", "@1", "%1", "!", "~", "*", "-x", "a b",
    "#(id)",
    "##[x", "#[y###{z}#", "feature/x", "+", "^", "a!b",
  ]

  @Test func `the lines are these`() throws {
    let target = try TmuxTarget("agent-1")
    #expect(try TmuxCommand.has(target).line == "'tmux' '-u' 'has-session' '-t' '=agent-1:'")
    #expect(
      try TmuxCommand.kill(TmuxTarget("$3"), tmux: "/opt/x y/tmux").line
        == "'/opt/x y/tmux' '-u' 'kill-session' '-t' '$3:'")
    #expect(
      try TmuxCommand.attach(target).line
        == "'tmux' '-u' '-N' 'attach-session' '-E' '-f' 'read-only,ignore-size' '-t' '=agent-1:'")
    #expect(
      try TmuxCommand.attach(target, takesInput: true, resizes: true).line
        == "'tmux' '-u' '-N' 'attach-session' '-E' '-t' '=agent-1:'")
    #expect(
      try TmuxCommand.control(target).line.hasPrefix("'sh' '-c' 'exec 3<&0; trap '")
    )
    #expect(
      try TmuxCommand.control(target).line.hasSuffix(
        " 'sh' 'tmux' '-u' '-N' '-C' 'attach-session' '-E' '-f' "
          + "'read-only,ignore-size,pause-after=2' '-t' '=agent-1:'"))
    let capture = try TmuxCommand.capture(target, history: 7).line
    #expect(capture.hasSuffix("';' 'capture-pane' '-p' '-e' '-N' '-S' '-7' '-t' '=agent-1:'"))
  }

  @Test(arguments: ["tmux", "bin/tmux", "", "/opt/", "~/bin/tmux"])
  func `tmux is named by an absolute path`(path: String) {
    #expect(throws: Failure.self) { try TmuxCommand.list(tmux: path) }
  }

  @Test(arguments: ["$", "$x", "$1a", "/dev/pts/3", "pts/3", "ttyS0", "client-12"])
  func `what tmux may take for something else is refused`(name: String) {
    let failure = #expect(throws: Failure.self) { try TmuxTarget(name) }
    #expect(failure?.code == .badInput)
  }

  @Test(arguments: ["", "a:b", "a.b", ":", "a\nb", "\u{1B}"])
  func `what no session is called is not found`(name: String) {
    let failure = #expect(throws: Failure.self) { try TmuxTarget(name) }
    #expect(failure?.code == .tmuxSessionNotFound)
  }

  @Test(arguments: ["", "a:b", "a.b", "a\\b", "$1", "pts/1", "a\nb"])
  func `a name that would not stay is not given`(name: String) {
    #expect(throws: Failure.self) { try TmuxCommand.create(name) }
  }

  @Test func `sessions are made, found and ended by their exact names`() throws {
    let server = try TmuxServer()
    let folder = server.home.path + "/a 'b' #{pid} #(touch evil);"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (index, name) in Self.names.enumerated() {
      let command = try TmuxCommand.create(
        name, path: folder, size: (100 + index, 40), command: ["sleep 1000"])
      let made = try server.run(command).created(host: "box")
      #expect(made.session.name == name)
      #expect(made.session.path == folder)
      #expect(made.session.width == 100 + index)
      #expect(try server.run(.has(TmuxTarget(name))).exists(on: "box"))
    }
    #expect(try server.names() == Self.names.sorted())
    for (index, name) in Self.names.enumerated() {
      try server.run(.kill(TmuxTarget(name))).check(nil, on: "box")
      #expect(try server.names() == Self.names.dropFirst(index + 1).sorted())
    }
    let files = try FileManager.default.subpathsOfDirectory(atPath: server.home.path)
    #expect(!files.contains { $0.hasSuffix("evil") })
  }

  @Test func `what runs in a session gets its arguments as they are`() throws {
    let server = try TmuxServer()
    let file = server.home.path + "/arguments"
    let words = ["-a", "b;", ";", "$HOME", "#{pid}", "it's", "é \\", "!"]
    let command = try TmuxCommand.create(
      "a", command: ["sh", "-c", "printf '%s\\n' \"$@\" > '\(file)'; exec sleep 1000", "x"] + words)
    _ = try server.run(command).created(host: "box")
    let expected = words.map { $0 + "\n" }.joined()
    try server.until("the arguments are there") {
      (try? String(contentsOfFile: file, encoding: .utf8)) == expected
    }
  }

  @Test func `no other session is taken for the one that is meant`() throws {
    let server = try TmuxServer()
    try server.make("agent-1")
    for name in ["agent", "agent-*", "agent-", "agent-11"] {
      let target = try TmuxTarget(name)
      #expect(try !server.run(.has(target)).exists(on: "box"))
      let commands: [TmuxCommand] = [
        try .kill(target), try .capture(target), try .attach(target), try .control(target),
        try .attachWithoutOutput(target),
      ]
      for command in commands {
        let failure = #expect(throws: Failure.self) {
          try TmuxScreen(server.run(command), of: target, on: "box")
        }
        #expect(failure?.code == .tmuxSessionNotFound || commands[3...].contains(command))
      }
    }
    #expect(try server.names() == ["agent-1"])
    let again = #expect(throws: Failure.self) {
      try server.run(.create("agent-1")).created(host: "box")
    }
    #expect(again?.code == .conflict)
    // An id is never given twice.
    let listed = try server.run(.list()).sessions(host: "box")
    try server.run(.kill(TmuxTarget(#require(listed.first).session))).check(nil, on: "box")
    #expect(try server.run(.list()).sessions(host: "box").isEmpty)
  }

  @Test func `attaching starts no server`() throws {
    let server = try TmuxServer()
    let target = try TmuxTarget("a")
    for command in [
      try TmuxCommand.attach(target), try .control(target), try .attachWithoutOutput(target),
      try .has(target),
    ] {
      let answer = try server.run(command)
      let failure = #expect(throws: Failure.self) { try answer.check(target, on: "box") }
      #expect(failure?.code == .tmuxSessionNotFound)
    }
    #expect(try server.run(.list()).errors.starts(with: "error connecting to ".utf8))
  }

  @Test func `without tmux every shell's answer says so`() throws {
    let server = try TmuxServer()
    for shell in ShellWordTests.shells {
      let answer = try server.run(.list(tmux: "/nowhere/tmux"), shell: shell)
      let failure = #expect(throws: Failure.self) { try answer.sessions(host: "box") }
      #expect(
        failure?.code == .tmuxNotFound,
        "\(shell): \(String(decoding: answer.errors, as: UTF8.self))")
    }
  }

  @Test func `a looker-on changes nothing`() throws {
    let server = try TmuxServer()
    try server.make("agent", columns: 200, lines: 50)
    func state() throws -> [String] {
      [
        try server.tmux("show-environment", "-t", "=agent:"),
        try server.tmux("show-options", "-t", "=agent:"),
        try server.tmux("list-clients"),
        try server.tmux(
          "display-message", "-p", "-t", "=agent:", "#{window_width}x#{window_height} #{pane_id}"),
      ]
    }
    let before = try state()
    let target = try TmuxTarget("agent")
    // What a login over SSH brings with it would go to the session.
    let line =
      "SSH_CONNECTION=evil SSH_AUTH_SOCK=/evil DISPLAY=:9 " + (try TmuxCommand.control(target).line)
    let answer = try server.run(line)
    #expect(answer.status == 0)
    #expect(try state() == before)
  }
}
