import Testing

/// Tools whose arguments the Swift runtime cannot find, because of a preloaded library.
@Suite("lost arguments")
struct LostArgumentsTests {
  /// Starts a tool with libfaketime, which adds `FAKETIME_SHARED` to the environment.
  private static let faketime = "LD_PRELOAD=$(ls /usr/lib/*/faketime/libfaketimeMT.so.1)"

  /// Compiles the library that hides files.
  ///
  /// - Returns: The words that start a tool without the files whose paths begin with `path`.
  private static func hiding(_ path: String, _ scratch: Scratch) async throws -> String {
    let run = try await scratch.shell(
      "clang -shared -fPIC -O1 -o hide.so '\(Places.tests)/Support/Hiding/hide.c' -ldl")
    try #require(run.statuses == [0], "\(run.errors)")
    return "LD_PRELOAD='\(scratch.path("work/hide.so"))' TEST_HIDDEN=\(path)"
  }

  @Test func `every tool has its arguments beside libfaketime`() async throws {
    try await Scratch.with { scratch in
      func versions(_ start: String) async throws -> ToolRun {
        try await scratch.shell(
          """
          for tool in $('\(Places.tests)/../scripts/lib/tools'); do
            \(start) $tool --version || break
          done
          """)
      }
      let own = try await versions("")
      #expect(own.output.contains("\nstage-run ") && own.output.contains("\nweb-fetch "))
      #expect(try await versions(Self.faketime).output == own.output)
      let refused = try await scratch.shell("\(Self.faketime) stage-run --nonsense")
      #expect(refused.statuses == [64])
      #expect(refused.errors.hasPrefix("stage-run: unknown option '--nonsense'\n"))
    }
  }

  @Test func `arguments are read and passed on byte for byte`() async throws {
    try await Scratch.with { scratch in
      // The runtime finds its stack in this file.
      let start = try await Self.hiding("/proc/self/maps", scratch)
      for line in [
        "agent-run -- printf '%s|' 'a b' '' -- --text \"$(printf '\\377')\"",
        "agentpipes help ceo-plan", "agentpipes ceo-plan --version", "agent-run -- /etc/passwd",
      ] {
        let own = try await scratch.shell("\(line) 2>&1 | od -c")
        let run = try await scratch.shell("\(start) \(line) 2>&1 | od -c")
        #expect(own.statuses == run.statuses && own.output == run.output, "\(line)")
      }
    }
  }

  @Test func `a tool that cannot read its arguments fails`() async throws {
    try await Scratch.with { scratch in
      let start = try await Self.hiding("/proc/self/", scratch)
      for line in [
        "stage-run --max-cost 1", "ceo-plan --version", "web-fetch --version",
        "hub-serve --listen 127.0.0.1:0", "agentpipes doctor", "agent-run -- true",
      ] {
        let run = try await scratch.shell("\(start) \(line)")
        try #require(run.statuses == [74], "\(line)")
        let tool = line.prefix { $0 != " " }
        #expect(
          run.errors == """
            \(tool): cannot read the arguments: '/proc/self/cmdline' is missing or empty; \
            mount /proc, or start the tool without LD_PRELOAD

            """)
        // The output of agent-run is its command's.
        let codes = tool == "agent-run" ? [] : ["StorageFailed"]
        #expect(run.records.map { $0["code"] } == codes)
      }
    }
  }
}
