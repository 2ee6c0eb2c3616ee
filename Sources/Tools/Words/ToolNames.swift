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
    guard let slash = word.firstIndex(of: "/") else { return nil }
    let source = String(word[..<slash])
    guard sources.contains(source) else { return nil }
    return (source, String(word[word.index(after: slash)...]))
  }

  /// Returns the tool with the given name, which may begin with its source.
  ///
  /// - Throws: `BadUsage` with the candidates if several tools have the name; `NotFound` with
  ///   similar names if none has it.
  func tool(_ word: String) throws(Failure) -> ToolRecord {
    if let tool = tools.first(where: { $0.fullName == word }) { return tool }
    let found = tools.filter { $0.name == word }
    if let tool = found.first, found.count == 1 { return tool }
    let shown = Visible.line(String(word.prefix(200)))
    guard found.isEmpty else {
      throw Failure(
        .badUsage, "'\(shown)' names several tools: \(Self.list(found.map(\.fullName)))",
        kind: .ambiguous, input: shown, nextStep: "name one of them")
    }
    let near = near(word)
    throw Failure(
      .notFound,
      "there is no tool '\(shown)'" + (near.isEmpty ? "" : ": did you mean \(Self.list(near))?"),
      input: shown, nextStep: "run 'tool-call list'")
  }

  /// Returns up to three names that are few typing errors from the given word.
  private func near(_ word: String) -> [String] {
    let name = word.split(separator: "/", maxSplits: 1).last ?? ""
    let word = String(name.prefix(128)).lowercased()
    let distances = tools.map { tool in
      EditDistance.between(word, String(tool.name.prefix(128)).lowercased())
    }
    let limit = max(1, word.count / 3)
    guard let least = distances.min(), least <= limit else { return [] }
    return zip(tools, distances).filter { $0.1 == least }.prefix(3).map(\.0.fullName)
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(10).map { "'\(Visible.line(String($0.prefix(200))))'" }.joined(separator: ", ")
      + (names.count > 10 ? " and \(names.count - 10) more" : "")
  }
}
