import Core
import MCP
import Testing

/// Lists of tools.
@Suite(.serialized) struct ListTests {
  private func listing(_ kind: String) async throws -> MCPListing {
    let made = try MadeServer(["--list", kind])
    let listing = try await made.client.tools()
    await made.client.close()
    return listing
  }

  @Test func `all pages are read, in the server's order`() async throws {
    let listing = try await listing("pages")
    #expect(listing.tools.map(\.name) == listing.tools.map(\.name).sorted())
    #expect(listing.tools.count == 21 && listing.faults == [])
    // The last page is the first to grow old.
    #expect(listing.ttlMs == 8986 && listing.isPublic)
  }

  @Test func `cursors that lead nowhere are followed no further`() async throws {
    for kind in ["loop", "endless"] {
      let listing = try await listing(kind)
      #expect(listing.faults.last?.contains("without end") ?? false)
      #expect(listing.tools.count == (kind == "loop" ? 21 : 0))
    }
  }

  @Test func `tools without a name or a schema are left out and reported`() async throws {
    let listing = try await listing("broken")
    #expect(listing.tools.map(\.name) == ["ask"])
    #expect(
      listing.faults == [
        "'mcp:made' lists a tool without a valid name",
        "'mcp:made' lists a tool without a valid name",
        "'mcp:made' lists a tool without a valid name",
        "'x' of 'mcp:made' is left out: it has no input schema",
        "'bare<U+202E>tool' of 'mcp:made' is left out: it has no input schema",
        "'mcp:made' lists 'ask' twice",
      ])
    #expect(try await self.listing("none").faults == ["'mcp:made' sent a list without tools"])
  }

  @Test func `a list that is too large is refused`() async throws {
    let failure = await failed { () throws(Failure) in
      do {
        _ = try await listing("huge")
      } catch {
        throw error as? Failure ?? Failure(.badUsage, "\(error)")
      }
    }
    #expect(failure?.code == .invalidResponse && failure?.kind == .tooLarge)
  }
}
