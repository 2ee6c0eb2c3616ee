import Core

/// A tool of Composio.
struct ComposioTool: Sendable {
  /// The hints that Composio's tags contain.
  private static let hints = [
    "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint",
  ]

  /// The tool's record.
  var record: ToolRecord
  /// The toolkit whose connection the tool uses; nil if the server names none.
  var toolkit: String?

  /// Reads a tool as a list has it; nil if it has no usable name or schema.
  init?(_ item: JSONValue) {
    guard let name = item["slug"]?.text, Self.isName(name), let schema = item["input_parameters"],
      schema.members != nil
    else { return nil }
    record = ToolRecord(name: name, source: "composio", inputSchema: schema)
    record.title = item["name"]?.text
    record.description = item["description"]?.text
    let tags = Set(item["tags"]?.texts ?? []).intersection(Self.hints)
    if !tags.isEmpty {
      record.annotations = .object(tags.reduce(into: [:]) { $0[$1] = .bool(true) })
    }
    toolkit = item["toolkit"]?["slug"]?.text.flatMap { Self.isToolkit($0) ? $0 : nil }
  }

  /// Returns the tool with the given name as a search describes it; nil without its schema.
  static func found(_ name: String, _ facts: JSONValue) -> ToolRecord? {
    guard let schema = facts["input_schema"], schema.members != nil else { return nil }
    var record = ToolRecord(name: name, source: "composio", inputSchema: schema)
    record.description = facts["description"]?.text
    return record
  }

  /// `true` if the given text may be the name of a tool.
  static func isName(_ name: String) -> Bool {
    name.utf8.count <= 128 && ComposioRouter.isIdentifier(name)
  }

  /// `true` if the given text may be the name of a toolkit.
  static func isToolkit(_ name: String) -> Bool { isName(name) }
}

extension SourceResult {
  /// Reads the result of a call; nil if the answer has neither data nor an error.
  ///
  /// An error arrives with the status 200, too.
  init?(composio answer: JSONValue) {
    let problem = answer["error"].flatMap { $0 == .null ? nil : $0.text ?? $0.json }
    let data = answer["data"].flatMap { $0.members == nil ? nil : $0 }
    guard problem != nil || data != nil else { return nil }
    let texts = [problem, problem != nil && data?.members?.isEmpty != false ? nil : data?.json]
    self.init(
      content: texts.compactMap(\.self).map {
        .object(["type": .string("text"), "text": .string($0)])
      },
      structuredContent: data, isError: problem != nil,
      logId: answer["log_id"]?.text.map { String($0.prefix(200)) })
  }
}
