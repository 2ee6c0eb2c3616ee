/// A tool that a model may call.
public struct ToolOffer: Sendable, Hashable {
  /// Its name.
  public var name: String
  /// What it does, for the model.
  public var description: String
  /// The JSON text of the JSON Schema of its arguments.
  public var inputSchema: String

  /// Offers a tool.
  public init(name: String, description: String, inputSchema: String) {
    self.name = name
    self.description = description
    self.inputSchema = inputSchema
  }
}

/// Whether a model calls tools.
public enum ToolChoice: Sendable, Hashable {
  /// As it sees fit.
  case automatic
  /// Not at all.
  case none
  /// At least one.
  case required
  /// The one of this name.
  case named(String)
}

/// The form that an answer has to have.
public struct AnswerSchema: Sendable, Hashable {
  /// What to call it: letters, digits, `_` and `-`, as OpenAI asks for.
  public var name: String
  /// The JSON text of the JSON Schema.
  public var json: String

  /// Creates the form.
  public init(name: String, json: String) {
    self.name = name
    self.json = json
  }
}
