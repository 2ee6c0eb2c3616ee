import Processes
import TestSupport
import Testing

struct ChildEnvironmentTests {
  private let environment = [
    "PATH": "/usr/bin:/bin", "HOME": "/home/u", "LC_ALL": "C.UTF-8", "XDG_RUNTIME_DIR": "/run/u",
    "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus", "TMUX_TMPDIR": "/run/tmux",
    "ANTHROPIC_API_KEY": "one", "GITHUB_TOKEN": "two", "MY_OWN_API_KEY": "three",
    "DATABASE_URL": "postgres://u:four@h", "AWS_SECRET_ACCESS_KEY": "five", "PASS": "six",
    "CREDENTIALS_DIRECTORY": "/run/credentials",
  ]

  /// The names of the variables that a command sees.
  private func names(_ environment: ChildEnvironment) throws -> Set<String> {
    let result = try ChildProcess.run(["/usr/bin/env"], environment: environment)
    let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
    return Set(lines.compactMap { $0.split(separator: "=").first.map(String.init) })
  }

  @Test func `a helper gets what it needs, and nothing that may be a secret`() throws {
    #expect(
      try names(.ofHelper(environment)) == [
        "PATH", "HOME", "LC_ALL", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "TMUX_TMPDIR",
      ])
  }

  @Test func `a command that the user named gets everything`() throws {
    #expect(try names(.whole(environment)) == Set(environment.keys))
  }
}
