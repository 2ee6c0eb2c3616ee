import Testing

/// Libraries of the system, each hidden by an empty file of its name.
@Suite("libraries of the system")
struct SystemLibraryTests {
  @Test(arguments: [
    ("libcrypto.so.3", "key-store set mine <secret", "libssl3"),
    ("libcurl.so.4", "web-fetch http://127.0.0.1:8099/", "libcurl4"),
    ("libcurl.so.4", "env ANTHROPIC_API_KEY=secret-of-it ceo-plan Compare", "libcurl4"),
    ("libpq.so.5", "hub-serve migrate --records postgres://127.0.0.1/none", "libpq5"),
    ("libssh.so.4", "tmux-attach key import mine key", "libssh-4"),
    ("libxml2.so.2", "web-fetch page.html", "libxml2"),
  ])
  func `a missing library ends only the work that needs it, and its package is named`(
    file: String, command: String, package: String
  ) async throws {
    try await Scratch.with { scratch in
      try scratch.write("libraries/\(file)", "")
      try scratch.write("work/page.html", "<p>A page.")
      try scratch.write("work/secret", "sk-secret\n")
      let key = try await scratch.shell("ssh-keygen -q -t ed25519 -N '' -f key")
      #expect(key.statuses == [0])
      let hidden = "LD_LIBRARY_PATH='\(scratch.path("libraries"))' \(command)"
      let run = try await scratch.shell(hidden)
      #expect(run.statuses == [1])
      let error = try #require(run.records("error").first)
      #expect(error["code"] == "ToolFailed" && error["kind"] == "library")
      #expect(error.flag("retryable") == false)
      #expect(run.errors.contains(" is missing; run apt-get install \(package) "))
      let other = try await scratch.shell(hidden.replacing(command, with: "agent-stat"))
      #expect(other.statuses == [0])
    }
  }
}
