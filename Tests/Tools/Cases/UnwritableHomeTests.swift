import Foundation
import Testing

/// Homes in which nothing can be written.
@Suite("unwritable homes")
struct UnwritableHomeTests {
  /// Runs a test with a home that its user cannot write; as root, the tools run as another user.
  private static func with(_ body: (Scratch, _ prefix: String) async throws -> Void) async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("cd ..; chmod 555 home")
      try await body(
        scratch,
        geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups -- " : "")
      try await scratch.shell("cd ..; chmod 755 home")
    }
  }

  @Test(arguments: ["", "--hub http://127.0.0.1:9 "])
  func `agent-run runs the command, unwatched, and says why`(_ hub: String) async throws {
    try await Self.with { scratch, prefix in
      let run = try await scratch.shell(
        "\(prefix)agent-run \(hub)sh -c 'read -r line; echo \"$line\"; echo wrong >&2; exit 3'",
        input: "typed\n")
      #expect(run.statuses == [3])
      #expect(run.output == "typed\n")
      let place =
        hub.isEmpty
        ? "write '\(scratch.path("home/data/store.db"))'"
        : "create the folder '\(scratch.path("home/state"))'"
      #expect(
        run.errors
          == "agent-run: the command runs without events: cannot \(place): Permission denied\nwrong\n"
      )
    }
  }

  @Test(arguments: [
    "agent-control pause agent x --reason r", "agent-control threshold incident all 3",
    "gate-decide ask 'Go on?'", "hub-serve --listen 127.0.0.1:0", "hub-serve register-code",
    "key-store set openai", "chat-send hello", "ceo-plan 'plant beans'", "gate-decide approve x",
    "model-list alias fast gpt-5.1", "pair register http://127.0.0.1:9 --code K7M4Q-2XWPT",
    "pair complete http://127.0.0.1:9 --code 123456", "chat-log import /dev/null",
    "tmux-attach key generate k", "push-notify --to desktop", "agent-adopt",
  ])
  func `every tool names the path and the reason`(_ line: String) async throws {
    try await Self.with { scratch, prefix in
      let run = try await scratch.shell(prefix + line, input: "secret-of-a-test\n")
      #expect(run.statuses == [74])
      #expect(run.errors.contains("'\(scratch.path("home"))"))
      #expect(run.errors.contains(": Permission denied; "), "\(run.errors)")
    }
  }

  @Test func `a hub's devices are listed from a store that cannot be written`() async throws {
    try await Scratch.with { scratch in
      let made = try await scratch.shell("hub-serve register-code")
      #expect(made.statuses == [0])
      let isRoot = geteuid() == 0
      try await scratch.shell(
        "cd ..; \(isRoot ? "chown -R 65534:65534 home;" : "") chmod -R a-w home")
      let prefix = isRoot ? "setpriv --reuid=65534 --regid=65534 --clear-groups -- " : ""
      let listed = try await scratch.shell(prefix + "hub-serve devices")
      try await scratch.shell("cd ..; chmod -R u+w home")
      #expect(listed.statuses == [0] && listed.output.isEmpty && listed.errors.isEmpty)
    }
  }
}
