public import Core

/// A tool as a server lists it.
public struct MCPTool: Sendable, Hashable {
  /// The tool's name.
  public var name: String
  /// The tool's name for people.
  public var title: String?
  /// The description for models.
  public var description: String?
  /// The JSON Schema of the arguments.
  public var inputSchema: JSONValue
  /// The JSON Schema of structured content.
  public var outputSchema: JSONValue?
  /// Hints about the tool, which nobody may trust.
  public var annotations: JSONValue?

  /// Creates a tool.
  public init(
    name: String, title: String? = nil, description: String? = nil, inputSchema: JSONValue,
    outputSchema: JSONValue? = nil, annotations: JSONValue? = nil
  ) {
    (self.name, self.title, self.description) = (name, title, description)
    (self.inputSchema, self.outputSchema) = (inputSchema, outputSchema)
    self.annotations = annotations
  }
}

/// The tools of a server, in its order.
public struct MCPListing: Sendable, Hashable {
  /// The tools; those with a broken `x-mcp-header` are left out.
  public var tools: [MCPTool]
  /// A sentence for each tool that was left out, and for other faults of the list.
  public var faults: [String]
  /// The milliseconds for which the list may be used; nil if the server did not say.
  public var ttlMs: Double?
  /// `true` if the list is the same for all users (`cacheScope` is `public`).
  public var isPublic: Bool
  /// The revision that the server spoke.
  public var revision: MCPRevision
}

/// The result of a call, as the server sent it.
public struct MCPResult: Sendable, Hashable {
  /// The parts, each an object with a `type`.
  public var content: [JSONValue]
  /// The result as JSON.
  public var structuredContent: JSONValue?
  /// `true` if the tool failed.
  public var isError: Bool
}
