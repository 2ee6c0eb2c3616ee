import Core
import MCP
import Testing

/// The revision that a client and a server find.
@Suite(.serialized) struct EraTests {
  private func found(
    _ options: [String], remembered: String? = nil, revision: String? = nil
  ) async throws -> (String?, [String]) {
    let made = try MadeServer(
      options, remembered: remembered.map(MCPRevision.init),
      revision: revision.map(MCPRevision.init))
    let listing = try await made.client.tools()
    #expect(listing.tools.count == 21 && listing.faults == [])
    let known = await made.client.revision?.rawValue
    #expect(listing.revision.rawValue == known)
    let echoed = try await made.call("echo", ["a": .int(1)])
    #expect(echoed.text == #"{"a": 1}"#)
    await made.client.close()
    return (known, try made.methods)
  }

  @Test func `a server that answers the probe needs no handshake`() async throws {
    let (revision, methods) = try await found([])
    #expect(revision == "2026-07-28")
    #expect(methods == ["server/discover", "tools/list", "tools/call"])
  }

  @Test func `after any other error a handshake follows on the same pipe`() async throws {
    let (revision, methods) = try await found(["--era", "old"])
    #expect(revision == "2025-11-25")
    #expect(
      methods == [
        "server/discover", "initialize", "notifications/initialized", "tools/list", "tools/call",
      ])
  }

  @Test func `an older revision that the server offers is accepted`() async throws {
    #expect(try await found(["--era", "older"]).0 == "2024-11-05")
  }

  @Test func `a server that ends at the probe is started again for a handshake`() async throws {
    let (revision, methods) = try await found(["--era", "old", "--start", "strict"])
    #expect(revision == "2025-11-25")
    #expect(methods.prefix(2) == ["server/discover", "initialize"])
  }

  @Test func `the newest revision that both have is chosen from those a refusal lists`()
    async throws
  {
    let (revision, methods) = try await found(["--era", "both"])
    #expect(revision == "2025-06-18")
    #expect(methods.prefix(2) == ["server/discover", "initialize"])
  }

  @Test(arguments: [("future", "2030-01-01"), ("ancient", "1999-01-01")])
  func `without a revision in common the failure names the server's`(
    _ era: String, _ named: String
  ) async throws {
    let made = try MadeServer(["--era", era])
    let failure = await failed { () throws(Failure) in _ = try await made.client.tools() }
    #expect(failure?.code == .protocolMismatch)
    #expect(failure?.explanation.contains(named) ?? false)
  }

  @Test func `a configured revision is not probed`() async throws {
    let (_, modern) = try await found([], revision: "2026-07-28")
    #expect(modern == ["tools/list", "tools/call"])
    let (revision, old) = try await found(["--era", "old"], revision: "2025-06-18")
    #expect(revision == "2025-06-18")
    #expect(old.first == "initialize")
  }

  @Test(arguments: [("older", "2025-06-18"), ("modern", "2025-06-18"), ("old", "2031-01-01")])
  func `a configured revision that the server does not speak is a mismatch`(
    _ era: String, _ configured: String
  ) async throws {
    let made = try MadeServer(
      ["--era", era], revision: MCPRevision(rawValue: configured))
    let failure = await failed { () throws(Failure) in _ = try await made.client.tools() }
    #expect(failure?.code == .protocolMismatch)
  }

  @Test func `a remembered handshake spares the probe`() async throws {
    let (revision, methods) = try await found(["--era", "old"], remembered: "2025-06-18")
    #expect(revision == "2025-06-18")
    #expect(methods.first == "initialize")
  }

  @Test func `a remembered revision that is wrong is corrected`() async throws {
    #expect(try await found(["--era", "modern"], remembered: "2025-11-25").0 == "2026-07-28")
    #expect(try await found(["--era", "old"], remembered: "2026-07-28").0 == "2025-11-25")
    #expect(try await found(["--era", "old"], remembered: "1900-01-01").0 == "2025-11-25")
  }

  @Test func `a server that ends late at the probe is started again`() async throws {
    let made = try MadeServer(
      ["--era", "old", "--start", "strict"], patience: .milliseconds(1))
    #expect(try await made.client.tools().revision.rawValue == "2025-11-25")
  }

  @Test func `a probe that is answered too late is understood all the same`() async throws {
    for (era, revision) in [("modern", "2026-07-28"), ("old", "2025-11-25")] {
      let made = try MadeServer(["--start", "late", "--era", era], patience: .milliseconds(100))
      #expect(try await made.client.tools().revision.rawValue == revision)
      #expect(try made.methods.prefix(2) == ["server/discover", "initialize"])
    }
  }

  @Test func `a server that never answers is late`() async throws {
    let made = try MadeServer(["--start", "mute"], timeout: .milliseconds(300))
    let failure = await failed { () throws(Failure) in _ = try await made.client.tools() }
    #expect(failure?.code == .timeout)
  }
}
