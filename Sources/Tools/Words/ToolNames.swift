import Core

/// The names of tools, among which a person's word is looked up.
struct ToolNames {
  private let tools: [ToolRecord]

  init(_ tools: [ToolRecord]) { self.tools = tools }

  /// Returns the source that the given word names, and the rest of the word; nil if the word names
  /// none of the given sources.
  static func split(
    _ word: String, sources: [String]
  ) -> (source: String, name: String)? {
    guard let slash = word.firstIndex(of: "/"),
      let source = source(String(word[..<slash]), among: sources)
    else { return nil }
    return (source, String(word[word.index(after: slash)...]))
  }

  /// Returns the source with the given name, or the source of the server with the given name; nil
  /// if there is neither.
  static func source(_ word: String, among sources: [String]) -> String? {
    sources.first { $0 == word } ?? sources.first { server(of: $0) == word }
  }

  /// Returns the name of the server of the given source, by which people may call the source.
  ///
  /// It is nil for a source that is no server, and for a server with the name of such a source.
  static func server(of source: String) -> String? {
    guard source.hasPrefix("mcp:") else { return nil }
    let name = String(source.dropFirst(4))
    return ["tavily", "composio"].contains(name) ? nil : name
  }

  /// Returns the tool with the given name, which may begin with its source or its server.
  ///
  /// - Throws: `BadUsage` with the candidates if several tools have the name; `NotFound` with
  ///   similar names if none has it.
  func tool(_ word: String) throws(Failure) -> ToolRecord {
    if let tool = tools.first(where: { $0.fullName == word }) { return tool }
    let found = tools.filter { $0.name == word || $0.nameAtServer == word }
    if let tool = found.first, found.count == 1 { return tool }
    let shown = Visible.line(String(word.prefix(200)))
    guard found.isEmpty else {
      throw Failure(
        .badUsage, "'\(shown)' names several tools: \(Self.list(found.map(\.fullName)))",
        kind: .ambiguous, input: shown, nextStep: "name one of them")
    }
    let near = near(word)
    throw Failure(
      .notFound, "there is no tool '\(shown)'", input: shown,
      nextStep: (near.isEmpty ? "" : "try \(Self.list(near)), or ") + "run 'tool-call list'")
  }

  /// Returns up to three names that are few typing errors from the given word.
  private func near(_ word: String) -> [String] {
    let name = word.split(separator: "/", maxSplits: 1).last ?? ""
    return Self.near(String(name), among: tools.map(\.name)).map { tools[$0].fullName }
  }

  /// Returns the indices of up to three names that are few typing errors from the given word.
  static func near(_ word: String, among names: [String]) -> [Int] {
    let word = word.prefix(128).lowercased()
    let distances = names.map { EditDistance.between(word, $0.prefix(128).lowercased()) }
    let limit = max(1, word.count / 3)
    guard let least = distances.min(), least <= limit else { return [] }
    return Array(distances.indices.filter { distances[$0] == least }.prefix(3))
  }

  /// Returns the given names for a message, at most ten.
  static func list(_ names: [String]) -> String {
    names.prefix(10).map { "'\(Visible.line(String($0.prefix(200))))'" }.joined(separator: ", ")
      + (names.count > 10 ? " and \(names.count - 10) more" : "")
  }
}

extension ToolRecord {
  /// The tool's name with the name of its server, `SERVER/NAME`; nil for a tool of no server.
  var nameAtServer: String? { ToolNames.server(of: source).map { "\($0)/\(name)" } }

  /// `true` if the source says that the tool changes nothing.
  var isReadOnly: Bool { annotations?["readOnlyHint"] == .bool(true) }
}
