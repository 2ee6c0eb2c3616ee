public import Core

/// Rendering of tools and of their results.
extension RecordText {
  /// Returns all facts about the given tool, one per line, and its arguments.
  public func card(_ tool: ToolRecord) -> String {
    let facts: [(label: String, text: String?)] = [
      ("source", tool.source), ("title", tool.title), ("what", tool.description),
      ("listed", tool.listedAt?.iso8601),
      ("hints", tool.annotations.map(Self.json)),
      ("permission", tool.permission ?? "asks"),
    ]
    let heading = palette.painted(Visible.line(tool.name), .heading) + "\n"
    return heading + labelled(facts, at: 14) + "\n" + arguments(tool)
  }

  /// Returns a line for each argument of the given tool: its name, its type and its description.
  private func arguments(_ tool: ToolRecord) -> String {
    guard case .object(let schema) = tool.inputSchema,
      case .object(let members)? = schema["properties"]
    else { return labelled([("schema", Self.json(tool.inputSchema))], at: 14) }
    var required: Set<JSONValue> = []
    if case .array(let names)? = schema["required"] { required = Set(names) }
    let rows = members.sorted { $0.key < $1.key }.map { name, part -> [TableCell] in
      var (type, what) = ("", "")
      if case .object(let facts) = part {
        if case .string(let text)? = facts["type"] { type = text }
        if case .string(let text)? = facts["description"] { what = text }
      }
      return [
        TableCell(name, .strong), TableCell(type),
        TableCell(required.contains(.string(name)) ? "required" : ""), TableCell(what, .faint),
      ]
    }
    let table = Table(
      [
        TableColumn("argument", importance: 9, leastWidth: 8),
        TableColumn("type", importance: 7, leastWidth: 7),
        TableColumn("", importance: 8, leastWidth: 8),
        TableColumn("what", importance: 6, leastWidth: 12),
      ], rows)
    return rows.isEmpty
      ? "no arguments\n" : table.text(width: width, palette: palette, hasHeadings: true)
  }

  /// Returns the parts of the given result: texts as they are, other parts by their type.
  func text(_ result: ToolResult) -> String {
    let parts = result.content.map { part -> String in
      guard case .object(let members) = part else { return line(Self.json(part)) }
      if case .string(let text)? = members["text"] {
        return wrapped(Visible.text(text, keepingLines: true))
      }
      return line(Self.other(members))
    }
    let failure = result.error.map { wrapped(Visible.line($0.explanation), .bad) }
    let onlyJSON = result.content.isEmpty ? result.structuredContent.map(Self.json) : nil
    return parts.joined() + (onlyJSON.map { line($0) } ?? "") + (failure ?? "")
  }

  /// Returns the given safe text with its line end; on a terminal, long lines are wrapped.
  private func wrapped(_ text: String, _ look: Look = .plain) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return (lines.last == "" ? lines.dropLast() : lines[...]).flatMap { line in
      width.map { Cells.wrapped(String(line), to: $0) } ?? [String(line)]
    }.map { palette.painted($0, look) + "\n" }.joined()
  }

  /// Returns a word about a part that is no text, such as `image (image/png)`.
  private static func other(_ members: [String: JSONValue]) -> String {
    func text(_ name: String) -> String? {
      guard case .string(let text)? = members[name] else { return nil }
      return text
    }
    let details = [text("mimeType"), text("uri"), text("name")].compactMap(\.self)
    return (text("type") ?? "part")
      + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
  }

  private static func json(_ value: JSONValue) -> String {
    // Only a number that is not finite cannot be encoded, and JSON has none.
    String(decoding: (try? RecordJSON.line(of: value)) ?? [], as: UTF8.self)
  }
}
