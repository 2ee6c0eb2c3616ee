/// The operation of a span.
///
/// It is the name of the span's events, and also one of their attributes.
public enum EventOperation: String, Sendable, CaseIterable {
  /// A request to a model in a conversation.
  case chat
  /// An agent's run, from its start to its end.
  case invokeAgent = "invoke_agent"
  /// A pipeline's run, from its start to its end.
  case invokeWorkflow = "invoke_workflow"
  /// The planning of a pipeline.
  case plan
  /// A tool call that an agent makes.
  case executeTool = "execute_tool"
  /// A request to a model for content.
  ///
  /// This operation is read but never written.
  case generateContent = "generate_content"
  /// A request to a model for a completion.
  ///
  /// This operation is read but never written.
  case textCompletion = "text_completion"

  /// `true` if the span covers the whole run of an agent or swarm.
  public var isRun: Bool {
    switch self {
    case .invokeAgent, .invokeWorkflow, .plan: true
    case .chat, .executeTool, .generateContent, .textCompletion: false
    }
  }

  /// `true` if the operation is a request to a model.
  public var isModelCall: Bool {
    switch self {
    case .chat, .generateContent, .textCompletion: true
    case .invokeAgent, .invokeWorkflow, .plan, .executeTool: false
    }
  }
}
