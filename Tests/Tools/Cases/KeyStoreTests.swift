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
        [ "$*" = "lookup service com.thomas.agentos account anthropic.apikey" ] && cat "$HOME/keyring-kept"
        """, executable: true)
      try scratch.write("user/keyring-kept", scratch.secret)
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

  @Test func `a credential that others can read is refused`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("user/credentials/openai.apikey", "from-the-credentials\n")
      scratch.set("CREDENTIALS_DIRECTORY", scratch.path("user/credentials"))
      for mode in ["644", "660", "400"] {
        try await scratch.shell(
          "chmod \(mode) ~/credentials/openai.apikey; key-store get openai --reveal")
      }
      try scratch.expectGolden("key-store/unsafe-credentials")
    }
  }

  @Test func `a missing key file is not replaced, and its secrets are not lost`() async throws {
    try await Scratch.with { scratch in
      let key = scratch.secret
      try await scratch.shell("key-store set openai", input: key + "\n")
      try await scratch.shell(
        "mv ../home/config/seal.key ~; key-store set azure", input: key + "\n")
      scratch.set("OPENAI_API_KEY", key)
      try await scratch.shell("key-store import --from-environment")
      scratch.set("OPENAI_API_KEY", nil)
      try await scratch.shell("ls ../home/config")
      try await scratch.shell("mv ~/seal.key ../home/config; key-store get openai --reveal")
      try await scratch.shell("rm ../home/config/seal.key; key-store delete openai")
      try await scratch.shell("key-store set azure", input: key + "\n")
      try scratch.expectGolden("key-store/missing-seal-key")
    }
  }

  @Test func `one key that cannot be read is told in its place in the list`() async throws {
    try await Scratch.with { scratch in
      for name in ["first", "second", "third"] {
        try await scratch.shell("key-store set \(name) >/dev/null", input: scratch.secret + "\n")
      }
      try await scratch.shell(
        "jq '.keys.second = .keys.first' ../home/config/keys.sealed > ~/k; cat ~/k "
          + "> ../home/config/keys.sealed; key-store list")
      try await scratch.shell("key-store list --text")
      try await scratch.shell("key-store get third")
      try scratch.expectGolden("key-store/unreadable-entry")
    }
  }

  @Test func `secrets never appear among the arguments, and are written masked`() async throws {
    try await Scratch.with { scratch in
      // Every program that is started tells its arguments and its environment.
      let tell =
        "tr '\\0' ' ' < /proc/$$/cmdline >>\"$HOME/arguments\"; echo >>\"$HOME/arguments\"\n"
      let keyring = Self.keyring.replacingOccurrences(of: "#!/bin/sh\n", with: "#!/bin/sh\n" + tell)
      try scratch.write("bin/secret-tool", keyring, executable: true)
      try scratch.write("bin/find-key", "#!/bin/sh\n\(tell)exit 1\n", executable: true)
      try scratch.write("home/config/config.toml", "key_command = [\"find-key\", \"{name}\"]\n")
      scratch.set("GITHUB_TOKEN", scratch.secret)
      let key = scratch.secret
      for hasKeyring in [false, true] {
        scratch.set("DBUS_SESSION_BUS_ADDRESS", hasKeyring ? "unix:path=/nonexistent" : nil)
        for format in ["--json", "--text"] {
          try await scratch.shell("key-store set openai \(format) -v", input: key + "\n")
          try await scratch.shell("key-store get openai \(format) -v")
          try await scratch.shell("key-store list \(format) -v")
          try await scratch.shell("key-store import --from-environment \(format) -v")
          try await scratch.shell("key-store delete openai \(format) -v")
        }
      }
      let arguments = scratch.read("user/arguments")
      #expect(arguments.contains("secret-tool store") && arguments.contains("find-key openai"))
      let texts = scratch.runs.flatMap { [$0.output, $0.errors] } + [arguments]
      for run in scratch.runs { #expect(run.statuses == [0], "\(run.command)") }
      // No more of it stands anywhere than the mask shows at one of its ends.
      let parts = (0...(key.count - 5)).map { key.dropFirst($0).prefix(5) }
      for part in parts { for text in texts { #expect(!text.contains(part)) } }
      #expect(texts.contains { $0.contains("\"masked\":\"\(key.prefix(4))…\(key.suffix(4))\"") })

      // One that a person puts there all the same is not repeated.
      let run = try await scratch.running(
        ["\(Places.tools)/key-store", "set", "openai", key], "key-store set openai <secret>"
      ).ended()
      #expect(run.statuses == [64])
      #expect(!(run.output + run.errors).contains(key.prefix(9)))
    }
  }
}
