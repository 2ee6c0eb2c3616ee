import Foundation
import Testing

@Suite("key-store")
struct KeyStoreTests {
  @Test func `a key is set, shown masked, revealed, listed and deleted`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("key-store set anthropic", input: scratch.secret + "\n")
      try await scratch.shell("key-store get anthropic")
      try await scratch.shell("key-store get anthropic --reveal")
      try await scratch.shell("key-store list")
      try await scratch.shell("cd ~/../home/config && stat -c '%a %n' . keys.sealed seal.key")
      try await scratch.shell("key-store delete anthropic")
      try await scratch.shell("key-store get anthropic")
      try await scratch.shell("key-store delete anthropic")
      try scratch.expectGolden("key-store/round-trip")
    }
  }

  @Test func `text for people is aligned and masked`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("key-store set openai --text", input: scratch.secret + "\n")
      try await scratch.shell("key-store list --text")
      try await scratch.shell("key-store get openai --text")
      try await scratch.shell("key-store list --text --json")
      try scratch.expectGolden("key-store/text")
    }
  }

  @Test func `wrong arguments, names and values are refused`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("key-store")
      try await scratch.shell("key-store show anthropic")
      try await scratch.shell("key-store set")
      try await scratch.shell("key-store set 'No Name'", input: "x\n")
      try await scratch.shell("key-store set ../../etc/passwd", input: "x\n")
      try await scratch.shell("key-store set openai", input: "")
      try await scratch.shell("key-store set openai", input: "\n\n")
      try await scratch.shell("key-store set openai", input: "a\u{1}b\n")
      try await scratch.shell("key-store set openai sk-on-the-command-line", input: "x\n")
      try await scratch.shell("key-store import")
      try await scratch.shell("key-store get --unknown openai")
      try await scratch.shell("key-store list")
      try scratch.expectGolden("key-store/refused")
    }
  }

  @Test func `help and version are told`() async throws {
    try await Scratch.with { scratch in
      for verb in ["", "set", "get", "list", "delete", "import"] {
        try await scratch.shell("key-store \(verb) --help")
      }
      try await scratch.shell("key-store --version")
      try scratch.expectGolden("key-store/help")
    }
  }

  @Test func `keys of the environment are imported`() async throws {
    try await Scratch.with { scratch in
      scratch.set("OPENAI_API_KEY", scratch.secret)
      try await scratch.shell("key-store import --from-environment")
      scratch.set("OPENAI_API_KEY", nil)
      scratch.set("TAVILY_API_KEY", nil)
      try await scratch.shell("key-store list")
      try scratch.expectGolden("key-store/import")
    }
  }

  @Test func `the environment goes before credentials, the command, and the file`() async throws {
    try await Scratch.with { scratch in
      let key = scratch.secret
      try await scratch.shell("key-store set openai", input: "from-the-file-0000\n")
      try await scratch.shell("key-store get openai --reveal")
      try scratch.write(
        "home/config/config.toml",
        "key_command = [\"sh\", \"-c\", \"echo from-the-{name}-command\"]\n")
      try await scratch.shell("key-store get openai --reveal")
      try scratch.write("user/credentials/openai.apikey", "from-the-credentials\n")
      scratch.set("CREDENTIALS_DIRECTORY", scratch.path("user/credentials"))
      try await scratch.shell("key-store get openai --reveal")
      scratch.set("OPENAI_API_KEY", key)
      try await scratch.shell("key-store get openai --reveal")
      try scratch.expectGolden("key-store/order")
    }
  }

  @Test func `a key command gets the whole environment, and its "no" is no failure`() async throws {
    try await Scratch.with { scratch in
      try scratch.write(
        "home/config/config.toml", "key_command = [\"sh\", \"-c\", \"echo $TAVILY_API_KEY\"]\n")
      let found = try await scratch.shell("key-store get openai --reveal")
      #expect(found.output == scratch.secret + "\n")
      try scratch.write("home/config/config.toml", "key_command = [\"false\"]\n")
      try await scratch.shell("key-store get openai")
      try scratch.write("home/config/config.toml", "key_command = [\"no-such-program\"]\n")
      try await scratch.shell("key-store get openai")
      try scratch.write("home/config/config.toml", "key_command = \"not a list\"\n")
      try await scratch.shell("key-store get openai")
      try scratch.write("home/config/config.toml", "model = \nkey_command = []\n")
      try await scratch.shell("key-store list")
      try scratch.expectGolden("key-store/command")
    }
  }

  /// A keyring in a file, which also tells what it was given.
  private static let keyring = """
    #!/bin/sh
    env >>"$HOME/secret-tool.env"
    echo "$@" >>"$HOME/secret-tool.arguments"
    verb=$1
    for word in "$@"; do last=$word; done
    case $verb in
      store) cat >"$HOME/keyring-$last" ;;
      lookup) cat "$HOME/keyring-$last" 2>/dev/null ;;
      clear) rm "$HOME/keyring-$last" ;;
    esac
    """

  @Test func `the keyring gets no secret but the one it is to keep`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("bin/secret-tool", Self.keyring, executable: true)
      scratch.set("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
      for name in ["ANTHROPIC_API_KEY", "GITHUB_TOKEN", "COMPOSIO_API_KEY"] {
        scratch.set(name, scratch.secret)
      }
      try await scratch.shell("key-store set openai", input: scratch.secret + "\n")
      try await scratch.shell("key-store get openai")
      try await scratch.shell("key-store list")
      try await scratch.shell("key-store delete openai")
      try await scratch.shell("key-store get openai")
      try await scratch.shell("cat ~/secret-tool.arguments; ls ../home")
      #expect(scratch.read("user/secret-tool.env").contains("HOME="))
      #expect(!scratch.read("user/secret-tool.env").contains(scratch.secret))
      try scratch.expectGolden("key-store/keyring")
    }
  }

  @Test func `a key that the first desktop program kept is found`() async throws {
    try await Scratch.with { scratch in
      try scratch.write(
        "bin/secret-tool",
        """
        #!/bin/sh
        [ "$*" = "lookup service com.thomas.agentos account anthropic.apikey" ] && echo "$KEPT"
        """, executable: true)
      scratch.set("KEPT", scratch.secret)
      scratch.set("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
      let run = try await scratch.shell("key-store get anthropic --reveal")
      #expect(run.output == scratch.secret + "\n")
      #expect(run.statuses == [0])
    }
  }

  @Test func `a key file that others can read is refused`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("key-store set openai", input: scratch.secret + "\n")
      try await scratch.shell("chmod 644 ../home/config/keys.sealed; key-store get openai")
      try await scratch.shell("chmod 600 ../home/config/keys.sealed; key-store get openai")
      try await scratch.shell("chmod 640 ../home/config/seal.key; key-store get openai")
      try await scratch.shell("rm ../home/config/seal.key; key-store get openai")
      try await scratch.shell("echo junk > ../home/config/keys.sealed; key-store list")
      try scratch.expectGolden("key-store/unsafe-files")
    }
  }
}
