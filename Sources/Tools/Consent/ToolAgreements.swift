public import Core

/// The agreements that people gave at a terminal: to tools as they were, and to servers from other
/// programs' files.
///
/// They are in one private file, which is replaced under a lock.
public struct ToolAgreements: Sendable {
  /// One agreement.
  public struct Agreement: Codable, Sendable, Hashable {
    /// The tool as `SOURCE/NAME`, or the source for a server.
    public var name: String
    /// The digest of the tool or of the server's settings.
    public var digest: String
    /// The chat to which the agreement is limited; nil for none.
    public var chatId: String?
  }

  private let path: String
  private let lock: String

  /// Creates access to the agreements in the given directories.
  public init(_ directories: Directories) {
    path = directories.data + "/tool-agreements.json"
    lock = directories.state + "/tool-agreements.lock"
  }

  /// Returns all agreements.
  ///
  /// - Throws: `PermissionDenied` if other users may read or write the file; `StorageFailed` if it
  ///   cannot be read or is malformed.
  public func all() throws(Failure) -> [Agreement] {
    guard let bytes = try PrivateFile.read(path) else { return [] }
    guard let list = try? RecordJSON.decode([Agreement].self, from: bytes) else {
      throw Failure(
        .storageFailed, "the file '\(path)' is malformed", kind: .corrupt, input: path,
        nextStep: "delete it")
    }
    return list
  }

  /// Stores the given agreement in place of an earlier one about the same tool or server.
  ///
  /// - Throws: As ``all()``; `StorageFailed` if the file cannot be written.
  func add(_ agreement: Agreement) throws(Failure) {
    try change { list in
      list.removeAll { $0.name == agreement.name && $0.chatId == agreement.chatId }
      list.append(agreement)
    }
  }

  /// Removes the agreements about the tools and servers that the given pattern matches.
  ///
  /// The name of a server also stands for its tools.
  ///
  /// - Parameter pattern: The pattern, or a name as in a call; nil for all.
  /// - Returns: The removed agreements.
  /// - Throws: As ``add(_:)``; `NotFound` or `BadUsage` if a name means no tool or several.
  public func forget(_ pattern: ToolPattern?) throws(Failure) -> [Agreement] {
    var removed: [Agreement] = []
    try change { (list) throws(Failure) in
      let names = try Self.names(among: Set(list.map(\.name)).sorted(), pattern)
      removed = list.filter { names.contains($0.name) }
      list.removeAll(where: removed.contains)
    }
    return removed
  }

  private static func names(
    among names: [String], _ pattern: ToolPattern?
  ) throws(Failure) -> [String] {
    guard let pattern else { return names }
    let sources = names.map { String($0.prefix { $0 != "/" }) }
    if pattern.isName, ToolNames.source(pattern.text, among: sources) == nil {
      do throws(Failure) {
        return [try ToolNames(names.compactMap(tool)).tool(pattern.text).fullName]
      } catch {
        guard error.code == .notFound, let word = error.input else { throw error }
        throw Failure(.notFound, "there is no agreement to '\(word)'", input: word)
      }
    }
    return names.filter { name in
      tool(name).map { pattern.chooses($0, among: sources) }
        ?? (pattern.matches(text: name) || ToolNames.source(pattern.text, among: [name]) != nil)
    }
  }

  /// Returns the tool with the given name, as far as a name tells; nil for the name of a server.
  private static func tool(_ name: String) -> ToolRecord? {
    let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    return ToolRecord(name: parts[1], source: parts[0], inputSchema: .null)
  }

  private func change(_ change: (inout [Agreement]) throws(Failure) -> Void) throws(Failure) {
    let lock = try FileLock.waiting(for: lock)
    defer { withExtendedLifetime(lock) {} }
    let old = try all()
    var new = old
    try change(&new)
    guard new != old else { return }
    guard let bytes = try? RecordJSON.line(of: new) else { return }
    try Directories.make(String(path.dropLast("/tool-agreements.json".count)))
    try PrivateFile.write(bytes, to: path)
  }
}
