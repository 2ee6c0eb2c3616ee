public import Core

extension MCPClient {
  /// The maximum number of pages of a list.
  private static let maximumPages = 200
  /// The maximum number of tools.
  private static let maximumTools = 10_000
  /// The maximum length of a list as JSON in bytes.
  private static let maximumBytes = 16 << 20
  /// The maximum length of a tool's name.
  private static let maximumName = 256

  /// Reads the list of tools; all pages, in the server's order.
  ///
  /// - Throws: `ToolFailed` of the kind `notStarted`; `ProtocolMismatch`; `InvalidResponse` if the
  ///   list is malformed or too large; `Timeout`; the failures of an exchange over HTTP.
  public func tools() async throws(Failure) -> MCPListing {
    var cursor: String?
    var cursors: Set<String> = []
    var names: Set<String> = []
    var bytes = 0
    var listing: MCPListing?
    repeat {
      let (page, revision) = try await page(cursor)
      var whole =
        listing
        ?? MCPListing(
          tools: [], faults: [], ttlMs: nil, isPublic: true, revision: revision)
      take(page, into: &whole, names: &names, bytes: &bytes, isFirst: listing == nil)
      guard bytes <= Self.maximumBytes, whole.tools.count <= Self.maximumTools else {
        throw Failure(
          .invalidResponse, "the list of '\(server.name)' is too large", kind: .tooLarge)
      }
      cursor = if case .string(let next)? = page["nextCursor"] { next } else { nil }
      if let next = cursor, !cursors.insert(next).inserted || cursors.count >= Self.maximumPages {
        whole.faults.append("'\(server.name)' lists its tools without end; the rest was not read")
        cursor = nil
      }
      listing = whole
    } while cursor != nil
    // The loop above has read at least one page.
    guard let listing else { throw Failure(.invalidResponse, "there is no list") }
    return listing
  }

  private func page(
    _ cursor: String?
  ) async throws(Failure) -> (page: [String: JSONValue], revision: MCPRevision) {
    let params = cursor.map { ["cursor": JSONValue.string($0)] } ?? [:]
    let (reply, revision) = try await answer(
      Job(method: "tools/list", params: params, isRepeatable: true))
    switch reply {
    case .error(let code, let message, _): throw failure(code, message, "to list its tools")
    case .result(let page): return (page, revision)
    }
  }

  private func take(
    _ page: [String: JSONValue], into listing: inout MCPListing, names: inout Set<String>,
    bytes: inout Int, isFirst: Bool
  ) {
    guard case .array(let entries)? = page["tools"] else {
      listing.faults.append("'\(server.name)' sent a list without tools")
      return
    }
    for entry in entries {
      bytes += (try? RecordJSON.line(of: entry).count) ?? 0
      do throws(Failure) {
        let tool = try tool(entry)
        guard names.insert(tool.name).inserted else {
          listing.faults.append("'\(server.name)' lists '\(tool.name)' twice")
          continue
        }
        listing.tools.append(tool)
      } catch {
        listing.faults.append(error.explanation)
      }
    }
    // A list is as fresh and as public as the least of its pages.
    let time: Double? =
      switch page["ttlMs"] {
      case .int(let number): max(0, Double(number))
      case .double(let number): max(0, number)
      default: nil
      }
    listing.ttlMs = isFirst ? time : listing.ttlMs.flatMap { old in time.map { min(old, $0) } }
    listing.isPublic = listing.isPublic && page["cacheScope"] == .string("public")
  }

  private func tool(_ entry: JSONValue) throws(Failure) -> MCPTool {
    guard let members = entry.members, case .string(let name)? = members["name"], !name.isEmpty,
      name.count <= Self.maximumName
    else { throw Failure(.invalidResponse, "'\(server.name)' lists a tool without a valid name") }
    let shown = Visible.line(name)
    guard let schema = members["inputSchema"], schema.members != nil else {
      throw Failure(
        .invalidResponse, "'\(shown)' of '\(server.name)' is left out: it has no input schema")
    }
    func text(_ name: String) -> String? {
      if case .string(let text)? = members[name] { text } else { nil }
    }
    let tool = MCPTool(
      name: name, title: text("title"), description: text("description"), inputSchema: schema,
      outputSchema: members["outputSchema"], annotations: members["annotations"])
    do throws(Failure) {
      _ = try mirrored(tool, [:])
    } catch {
      throw Failure(
        .invalidResponse, "'\(shown)' of '\(server.name)' is left out: \(error.explanation)")
    }
    return tool
  }
}
