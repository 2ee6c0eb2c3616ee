public import Core

extension Toolbox {
  /// Returns the full names of the tools in all stored lists; no server starts.
  public static func storedNames(in directories: Directories) -> [String] {
    ListCache.names(in: directories)
  }

  /// Returns the tools of each source, or the failure to list them, in the order of the sources.
  ///
  /// If the toolbox is read-only, other tools are left out.
  ///
  /// - Parameters:
  ///   - source: The source, or the name of its server; nil for all.
  ///   - fresh: `true` to read the lists now; `false` to use stored ones.
  /// - Returns: The lists.
  /// - Throws: `NotFound` if there is no such source.
  public func lists(
    of source: String? = nil, fresh: Bool = false
  ) async throws(Failure) -> [Result<[ToolRecord], Failure>] {
    try await allLists(of: source, fresh: fresh).map { list in
      list.map { $0.filter(admits) }
    }
  }

  private func allLists(
    of source: String?, fresh: Bool = false
  ) async throws(Failure) -> [Result<[ToolRecord], Failure>] {
    let name = source.map { ToolNames.source($0, among: sourceNames) ?? $0 }
    let chosen = sources.filter { name == nil || $0.name == name }
    if let source, chosen.isEmpty { throw unknownSource(source) }
    return await withTaskGroup(of: (Int, Result<[ToolRecord], Failure>).self) { group in
      for (index, source) in chosen.enumerated() {
        group.addTask { (index, await Self.list(source, fresh: fresh)) }
      }
      var lists: [Int: Result<[ToolRecord], Failure>] = [:]
      while let (index, list) = await group.next() { lists[index] = list }
      return chosen.indices.compactMap { lists[$0] }
    }
  }

  private static func list(
    _ source: any ToolSource, fresh: Bool
  ) async -> Result<[ToolRecord], Failure> {
    do throws(Failure) {
      return .success(try await source.tools(fresh: fresh))
    } catch {
      return .failure(error.at(source.name))
    }
  }

  /// Returns `true` if the given tool may be used: any tool, unless the toolbox is read-only.
  func admits(_ tool: ToolRecord) -> Bool { !isReadOnly || tool.isReadOnly }

  /// Throws a failure if the toolbox is read-only, and the given tool is not marked as read-only.
  ///
  /// - Throws: `PermissionDenied` of kind `notAllowed`.
  func requireReadOnly(_ tool: ToolRecord) throws(Failure) {
    guard !admits(tool) else { return }
    throw Failure(
      .permissionDenied, "'\(Visible.line(tool.fullName))' is not marked as read-only",
      kind: .notAllowed, input: tool.fullName, nextStep: "omit --read-only")
  }

  /// Returns the tool with the given name: `SOURCE/NAME`, `SERVER/NAME`, or NAME alone if it is
  /// unique.
  ///
  /// A source that cannot be listed is reported, and its tools count as absent, unless the name
  /// begins with it.
  ///
  /// - Throws: `NotFound` with similar names; `BadUsage` with the candidates if the name is
  ///   ambiguous; the errors of listing the named source.
  public func tool(named word: String) async throws(Failure) -> ToolRecord {
    let named = ToolNames.split(word, sources: sourceNames)
    var tools: [ToolRecord] = []
    var failure: Failure?
    for list in try await allLists(of: named?.source) {
      do throws(Failure) {
        tools += try list.get()
      } catch {
        guard named == nil, error.code != .interrupted else { throw error }
        failure = failure ?? error
        report(.sentence("skipped \(error.input ?? "a source"): \(error.sentence)"))
      }
    }
    do throws(Failure) {
      return try ToolNames(tools).tool(word)
    } catch {
      guard error.code == .notFound else { throw error }
      if let tool = try await unlisted(word) { return tool }
      // The tool may be one of the source that could not be listed.
      guard let failure else { throw error }
      throw failure
    }
  }

  func source(_ name: String) throws(Failure) -> any ToolSource {
    guard let source = sources.first(where: { $0.name == name }) else {
      throw unknownSource(name)
    }
    return source
  }

  private func unknownSource(_ name: String) -> Failure {
    let known = sourceNames.map { "'\($0)'" }.joined(separator: ", ")
    let shown = Visible.line(String(name.prefix(200)))
    return Failure(
      .notFound,
      "there is no source '\(shown)'" + (known.isEmpty ? "" : ": there is \(known)"),
      input: shown, nextStep: "add a server with 'tool-call add'")
  }
}
