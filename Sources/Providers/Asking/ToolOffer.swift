/// A tool that a model may call.
public struct ToolOffer: Sendable, Hashable {
  /// The member that contains the arguments of a tool that wraps them.
  public static let wrapper = "arguments"

  /// The name of the tool.
  public var name: String
  /// The description of the tool for the model.
  public var description: String
  /// The JSON Schema of the arguments, as JSON text.
  public var inputSchema: String
  /// `true` if the schema is an object whose only member, ``wrapper``, contains the arguments.
  ///
  /// ``ModelClient`` then wraps and unwraps the arguments of calls.
  public var wrapsArguments = false

  /// Creates an offer of a tool.
  public init(name: String, description: String, inputSchema: String) {
    self.name = name
    self.description = description
    self.inputSchema = inputSchema
  }
}

/// A rule that allows, requires or forbids tool calls.
public enum ToolChoice: Sendable, Hashable {
  /// The model decides.
  case automatic
  /// No tool calls.
  case none
  /// At least one tool call.
  case required
  /// A call of the named tool.
  case named(String)
}

/// The required form of an answer.
public struct AnswerSchema: Sendable, Hashable {
  /// The name: letters, digits, `_` and `-`, as OpenAI requires.
  public var name: String
  /// The JSON Schema, as JSON text.
  public var json: String

  /// Creates the form from a name and a JSON Schema.
  public init(name: String, json: String) {
    self.name = name
    self.json = json
  }
}
